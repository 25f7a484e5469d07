/**
 * The ticket: the token of a seat that somebody plays in this tab.
 *
 * It comes with the link and is kept by the tab, so that loading the page again keeps the seat, and a link that is
 * copied from the page gives it to nobody. It goes to the server that served the page, and nowhere else.
 */
const KEY = 'seat';

let token = '';

/** Takes the ticket of the address, or the one that this tab has; says where it was found. */
export function takeTicket(hash: string): 'link' | 'tab' | null {
  const given = new URLSearchParams(hash.replace(/^#/, '')).get('seat') ?? '';
  token = given === '' ? (kept(() => sessionStorage.getItem(KEY)) ?? '') : given;
  if (token === '') return null;
  kept(() => sessionStorage.setItem(KEY, token));
  return given === '' ? 'tab' : 'link';
}

export function dropTicket(): void {
  token = '';
  kept(() => sessionStorage.removeItem(KEY));
}

/** What is put behind a question to the server. */
export function ticketQuery(before: '?' | '&'): string {
  return token === '' ? '' : `${before}seat=${encodeURIComponent(token)}`;
}

/** Writes for the seat; says why it was not taken, null where it was. */
export async function writeWithTicket(path: string, fields: object): Promise<string | null> {
  try {
    const response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ seat: token, ...fields }),
    });
    return response.ok ? null : (await response.text()).trim();
  } catch {
    return 'The server does not answer. Is the game still on?';
  }
}

/** A browser that keeps nothing plays all the same. */
function kept<T>(act: () => T): T | null {
  try {
    return act();
  } catch {
    return null;
  }
}
