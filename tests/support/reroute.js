/**
 * Loaded before a program: requests to the addresses in REROUTE, a JSON object, go to others instead. So what a page tells a
 * user to type is tried word by word, against a server of ours and over real sockets.
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
