/**
 * The ids of the story that all examples tell: School 10 buys meals. The examples of requests and responses are recorded from a
 * real run, in which each of these stands for the id that the registry gave.
 */
export const EXAMPLE_IDS = {
  tender: "f3641d0b2a5d4f0e8d5c9a7b6e1c4d20",
  /** The tender for school furniture, which has lots. */
  secondTender: "2c9101b1d8a56ca2ad6c6233b625f620",
  item: "4ee2b0430d6f4b1c9a8e7d6c5b4a3921",
  lot: "7d774fbf1e864420b484d1a005cc283f",
  cancelledLot: "b8c7d6e5f4a34b2c91807f6e5d4c3b2a",
  document: "a4d6ee8f57c54a4d9c3a1f0b62d7e815",
  documentKey: "1c1b8a6f0e5d4c3b9a7f6e5d4c3b2a10",
  question: "615ff8be8eba4a81b300036d6bec991c",
  complaint: "22a34aecaed74d6c846870b1d1f4a7ff",
  cancellation: "9edc3ae0b4f34c6f8a7fb3b2b9a1d8e4",
  bid: "71b6c23ed8944d688e92a31ec8c3f61a",
  award: "7054491a5e514699a56e44d32e23edf7",
  contract: "c65d3526cdc44d75b2457b4489970a7c",
  clock: "3b1f0a9c8d7e4f6a95b4c3d2e1f00918",
  webhook: "e8d1c2b3a4f5469788796a5b4c3d2e1f",
  /** An owner token. */
  token: "0fc58c83963d42a692db4987df86640a",
  /** The hash of an owner token. */
  tokenHash: "5b8f0e1d9c7a46b3a2f1e0d9c8b7a6958473625140f3e2d1c0b9a8978695a4b3",
  /** Whose quota an upload counts against, in the address that it is sent to. */
  uploader: "d2c1b0a9f8e74d6c95b4a3928170f6e5",
} as const;
