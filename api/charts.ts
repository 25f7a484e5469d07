/** The statecharts that run, as XState machines: to draw them, to check them, to simulate them. */
export { arbiterMachine } from '../machines/charts/arbiter.ts';
export { galleryMachine } from '../machines/charts/gallery.ts';
export { gameMachine } from '../machines/charts/game.ts';
export { meetingMachine } from '../machines/charts/meeting.ts';
export { meetingSessionMachine } from '../machines/charts/meetingSession.ts';
export { playerMachine } from '../machines/charts/player.ts';
export {
  type Chart,
  type ChartEdge,
  type ChartNode,
  readChart,
} from '../visualizer/charts/chart.ts';
export { writeMermaid } from '../visualizer/charts/mermaid.ts';
