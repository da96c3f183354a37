// Tests that do not depend on the database engine import the world from here, and run on one engine only.
export { openSchema } from "./engines.ts";
export { expectStatus, openWorld, sharedWorld, type World } from "./world.ts";
