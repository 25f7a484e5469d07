/**
 * Loaded before a program: redirects requests to the addresses in REROUTE, a JSON object. Tests use it to run
 * documented commands word for word against a local server over real sockets.
 */
const routes = Object.entries(JSON.parse(process.env.REROUTE ?? '{}'));
const original = globalThis.fetch;

globalThis.fetch = (target, init) => {
  const url = String(target instanceof Request ? target.url : target);
  const route = routes.find(([from]) => url.startsWith(from));
  if (route === undefined) throw new Error(`REROUTE has no way to ${url}`);
  const [from, to] = route;
  return original(to + url.slice(from.length), init);
};
