/**
 * What is served beside the tenders knows nothing of the engine below: stories that come in by this door are told once, not
 * on every engine.
 */
export { openSchema } from "./engines.ts";
export { expectStatus, openWorld, sharedWorld, type World } from "./world.ts";
