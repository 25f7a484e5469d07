/** The versions with newer rules. */
import * as versions from '../../../machines/versions.ts';

export const { FORMAT, OLDEST_RULES, BELIEFS_VERSION, ENGINE, writeEngineVersion } = versions;

export const VERSIONS = { ...versions.VERSIONS, rules: versions.VERSIONS.rules + 1 };
