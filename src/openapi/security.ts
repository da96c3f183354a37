/** How a key is sent. */
export const SECURITY_SCHEMES = {
  key: { type: "http", scheme: "basic", description: "The API key is the user name; the password is ignored." },
  bearer: { type: "http", scheme: "bearer", description: "The API key." },
};
