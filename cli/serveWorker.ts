/** A thread that plays sessions of OpenEnv. */
import { serveSessions } from '../actors/doors/openenvThreads.ts';
import { startData } from '../actors/ports/threads.ts';
import { createHost, type HostTerms } from './serveHost.ts';

serveSessions(createHost(startData<HostTerms>()));
