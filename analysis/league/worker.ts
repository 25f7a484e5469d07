/** A worker that plays games of leagues, one after the other, as they are handed to it, and counts them. */
import { serveLeagueGames } from '../../actors/league/players.ts';
import { tallyGame } from './tally.ts';

serveLeagueGames({ count: tallyGame, models: null });
