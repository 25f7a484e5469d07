/** Nobody takes a seat in a tab: games are those of offline players, and the panel for a turn is left out. */
import type {
  Countdown as CountdownPanel,
  isTurnShown as isPanelShown,
  nameTurn as namePanel,
  Turn as TurnPanel,
} from '../../page/game/panels/turn.tsx';

export const isTurnShown: typeof isPanelShown = () => false;
export const nameTurn: typeof namePanel = () => '';
export const Countdown: typeof CountdownPanel = () => null;
export const Turn: typeof TurnPanel = () => null;
