/** The help of the page of a journal. */
import { HelpSheet } from '../../frame/help.tsx';
import { KEYS } from '../state/keys.ts';

export function Help() {
  return (
    <HelpSheet keys={KEYS}>
      Players hold meetings inside a glass box. In every tick each of them bids for the floor; the
      highest priority speaks. You see the thought beside the speech, every bid term by term, every
      vote as it is turned, and the ghosts whom nobody hears. <b>Table</b> hides every secret,{' '}
      <b>Glass</b> hides nothing, and a player’s lens shows what that player sees.
    </HelpSheet>
  );
}
