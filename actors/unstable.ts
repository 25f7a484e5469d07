/** The rules and the analysis of journals. Their shapes still change from version to version. */

export * as messages from '../analysis/counts/messages.ts';
export * as statistics from '../analysis/counts/statistics.ts';
export * as dice from '../machines/rules/dice.ts';
export * as floor from '../machines/rules/floor.ts';
export * as meeting from '../machines/rules/meeting.ts';
export * as mentions from '../machines/rules/mentions.ts';
export * as options from '../machines/rules/options.ts';
export * as game from '../machines/rules/ship/game.ts';
export * as map from '../machines/rules/ship/map.ts';
export * as round from '../machines/rules/ship/round.ts';
export * as tasks from '../machines/rules/ship/tasks.ts';
export * as world from '../machines/rules/ship/world.ts';
export * as views from '../machines/rules/views.ts';
export * as weights from '../machines/rules/weights.ts';
export * as claims from '../prompts/claims/claims.ts';
