/** What is worked out from journals. The shapes still change from version to version. */
export * as claims from '../../analysis/claims/claims.ts';
export * as messages from '../../analysis/messages.ts';
export * as statistics from '../../analysis/statistics.ts';
