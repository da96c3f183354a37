/** How a key is sent. */
export const SECURITY_SCHEMES = {
  key: { type: "http", scheme: "basic", description: "The API key is the user name; the password is ignored." },
  link: {
    type: "http",
    scheme: "bearer",
    description: "For bidders: the `signature` of the bid's `participationUrl`, in place of an API key.",
  },
  bidder: {
    type: "apiKey",
    in: "cookie",
    name: "auction_bidder",
    description: "For bidders in a browser: the cookie that opening `participationUrl` sets.",
  },
  bearer: { type: "http", scheme: "bearer", description: "The API key." },
};
