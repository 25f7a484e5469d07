import { hash } from 'node:crypto';

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex');
}
