import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('./writer.ts', import.meta.url));

export class Writing {
  readonly acknowledged = new Map<number, string>();
  readonly ended: Promise<void>;
  readonly #process: ChildProcess;
  readonly #waiting = new Set<() => void>();
  #rest = '';

  constructor(address: string, least: number, most: number, lanes: number) {
    const words = [PROGRAM, address, ...[least, most, lanes].map(String)];
    const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    child.stdout?.setEncoding('utf8').on('data', (text: string) => this.#hear(text));
    this.ended = new Promise((resolve) => {
      child.on('close', () => {
        resolve();
        this.#look();
      });
    });
  }

  async reached(count: number): Promise<void> {
    const isReached = () => this.acknowledged.size >= count || this.#process.exitCode !== null;
    if (isReached()) return;
    await new Promise<void>((resolve) => {
      const look = () => {
        if (!isReached()) return;
        this.#waiting.delete(look);
        resolve();
      };
      this.#waiting.add(look);
    });
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.ended;
  }

  #hear(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const [slot = '', said = ''] = line.split(' ');
      if (said !== '') this.acknowledged.set(Number(slot), said);
    }
    this.#look();
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}
