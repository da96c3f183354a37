/**
 * The rules for merging releases in which fields differ. They are the same wherever a field of this name occurs in the schema of a
 * release and of the extensions; a test compares them with the schemas.
 */

/** Lists that are replaced as a whole, because the standard says so or because their elements have no id. */
export const WHOLE_LISTS: ReadonlySet<string> = new Set([
  "additionalClassifications",
  "additionalIdentifiers",
  "changes",
  "features",
  "options",
  "lotValues",
  "parameters",
]);

/** The fields of a release that say something about the release itself, so merging leaves them out. */
export const OMITTED_FIELDS: ReadonlySet<string> = new Set(["id", "date", "tag"]);

/** The field of a release that is the same in all of them, so it has no versions. */
export const UNVERSIONED_FIELD = "ocid";

/**
 * Translations, such as `title_en`. The schema of versioned releases gives them no versions, unlike the texts that they translate, so a
 * versioned release has the latest translation.
 */
export const TRANSLATION_NAME = /^[A-Za-z]+_[a-z]{2,3}$/;
