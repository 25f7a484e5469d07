/** A worker thread that plays and counts league games. */
import { serveLeagueGames } from '../../actors/league/players.ts';
import { tallyGame } from './tally.ts';

serveLeagueGames({ count: tallyGame, models: null });
