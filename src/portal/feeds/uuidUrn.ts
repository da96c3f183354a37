/** The first 32 hexadecimal digits as `urn:uuid:…`, which feeds use as ids. */
export const uuidUrn = (digits: string): string =>
  `urn:uuid:${digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5")}`;
