/** The health of a Redis: what of it would lose results that it has acknowledged, told by what it says of itself. */
import type { Note } from '../../machines/types.ts';
import type { Health } from './store.ts';

/** The answer to INFO, by field. */
function infoFields(info: string): ReadonlyMap<string, string> {
  return new Map(
    info.split(/\r?\n/).flatMap((line): (readonly [string, string])[] => {
      const at = line.indexOf(':');
      return at < 0 ? [] : [[line.slice(0, at), line.slice(at + 1)]];
    }),
  );
}

/** `fsync` is what the server says of appendfsync; null where it does not tell. */
export function healthOf(info: string, shown: string, fsync: string | null): Health {
  const fields = infoFields(info);
  const warnings: Note[] = [];
  const warn = (code: string, text: string) => warnings.push({ code: `store/${code}`, text });
  if (fields.get('role') === 'slave') {
    warn(
      'replica',
      `Redis at ${shown} is a replica, which keeps nothing of its own: name its master`,
    );
  }
  if (fields.get('aof_enabled') !== '1') {
    warn(
      'no-aof',
      `Redis at ${shown} keeps no append-only file: what it has acknowledged is lost when it ends; set "appendonly yes"`,
    );
  }
  const policy = fields.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    warn(
      'eviction',
      `Redis at ${shown} throws keys away when its memory is full (${policy}); set "maxmemory-policy noeviction"`,
    );
  }
  if (fields.get('aof_last_write_status') === 'err') {
    warn('aof-fails', `Redis at ${shown} can't write its append-only file: is its disk full?`);
  }
  if (fsync === 'no') {
    warn(
      'fsync',
      `Redis at ${shown} leaves it to the system when it writes to the disk; set "appendfsync everysec"`,
    );
  }
  return { what: `Redis ${fields.get('redis_version') ?? '?'} at ${shown}`, warnings };
}
