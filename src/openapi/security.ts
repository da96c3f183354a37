/** How a key is sent. */
export const SECURITY_SCHEMES = {
  key: { type: "http", scheme: "basic", description: "The API key is the user name; the password is ignored." },
  bearer: { type: "http", scheme: "bearer", description: "The API key." },
};

/** How bidders of an auction show that they are bidders, without a key. */
export const BIDDER_SCHEMES = {
  link: {
    type: "http",
    scheme: "bearer",
    description: "For bidders: the signature in the bid's `participationUrl`, in place of an API key.",
  },
  bidder: {
    type: "apiKey",
    in: "cookie",
    name: "auction_bidder",
    description: "For bidders in a browser: the cookie that opening `participationUrl` sets.",
  },
};
