/** Style sheets that let the parts of an SVG picture come and go, in a loop and without a script. */
import { END, type Span } from './film.ts';

/** All in milliseconds. */
const FADE = 200;
/** The moment that is shown where nothing may move. */
const STILL = 6000;

export class Motion {
  readonly #rules = new Map<string, string>();

  get css(): string {
    const loop = `.film [class^=k]{animation:${END}ms linear infinite}`;
    return [loop, ...this.#rules.values()].join('\n');
  }

  /** A part that is there for a span. It comes from the transform `start`. */
  show({ from, to }: Span, part: string, start = ''): string {
    if (from >= to) return '';
    if (from === 0 && to === END) return part;
    const move = (transform: string) => (start === '' ? '' : `;transform:${transform}`);
    // What takes its place comes meanwhile.
    const half = Math.min(start === '' ? FADE : 2 * FADE, to - from) / 2;
    const [come, leave] = [from === 0 ? 0 : from + half, to === END ? END - FADE : to - half];
    const frames = [
      ...(from === 0 ? [] : [`0%,${share(from - half)}{opacity:0${move(start)}}`]),
      `${share(come)},${share(leave)}{opacity:1${move('none')}}`,
      `${to === END ? '' : `${share(to + half)},`}100%{opacity:0}`,
    ];
    const still = from <= STILL && STILL < to ? '' : 'opacity:0;';
    return `<g class="${this.#name(still, frames)}">${part}</g>`;
  }

  /** Contents that move from place to place, each from a moment on. */
  pan(places: readonly { readonly from: number; readonly x: number; readonly y: number }[]) {
    const at = ({ x, y }: { x: number; y: number }) => `transform:translate(${-x}px,${-y}px)`;
    const frames = places.map((place, index) => {
      const start = index === 0 ? '0%' : share(place.from + 2 * FADE);
      return `${start},${share(places[index + 1]?.from ?? END)}{${at(place)}}`;
    });
    const [first] = places;
    return this.#name(first === undefined ? '' : `${at(first)};`, frames);
  }

  /** The class of an animation; parts that move alike share it. */
  #name(still: string, frames: readonly string[]): string {
    const key = frames.join('');
    const name = `k${[...this.#rules.keys(), key].indexOf(key)}`;
    this.#rules.set(
      key,
      `.film .${name}{${still}animation-name:${name}}@keyframes ${name}{${key}}`,
    );
    return name;
  }
}

function share(moment: number): string {
  return `${Math.round((moment / END) * 10_000) / 100}%`;
}
