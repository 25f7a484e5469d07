/** The help of the page of a check. */
import { HelpSheet } from '../../frame/keyboard.tsx';
import { KEYS } from '../state/keys.ts';

export function Help() {
  return (
    <HelpSheet keys={KEYS}>
      The statechart that runs was taken through every way in which a meeting can go, and each
      property was judged. A broken one has a shortest run that breaks it; what can be has the
      nearest run that shows it. Beside each step stands the meeting that it tells, the fields that
      it changed, and what the machine would have taken or refused there instead.
    </HelpSheet>
  );
}
