import type { Answer } from "./answers.ts";
import type { Service } from "./exchange.ts";

/** The first page: what this is, how it stands, and what to do next. */
export async function showFirstPage({ registry }: Service): Promise<Answer> {
  await registry.catchUp();
  return {
    status: 200,
    headers: { "Content-Type": "text/html; charset=UTF-8" },
    bytes: Buffer.from("<!doctype html><title>Tenderhall</title><h1>Tenderhall</h1>"),
  };
}
