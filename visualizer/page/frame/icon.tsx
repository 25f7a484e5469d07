/** Icons: small drawings, because not every device has letters for them. */

const PATHS = {
  lock: 'M4 7V5a4 4 0 0 1 8 0v2M3 7h10v7H3Z',
  link: 'M6.5 9.5a3 3 0 0 0 4.2 0l2.6-2.6a3 3 0 0 0-4.2-4.2L8 3.8M9.5 6.5a3 3 0 0 0-4.2 0L2.7 9.1a3 3 0 0 0 4.2 4.2L8 12.2',
  theme: 'M8 2a6 6 0 1 0 0 12 6 6 0 1 0 0-12ZM8 2v12a6 6 0 0 0 0-12Z',
  play: 'M4.5 2.5 13 8l-8.5 5.5Z',
  pause: 'M4 3v10M5.5 3v10M10.5 3v10M12 3v10',
  calls: 'M2 3h12v8H7l-3 3v-3H2ZM5 6h6M5 8.5h4',
  text: 'M3.5 1.5h6l3 3v10h-9ZM9.5 1.5v3h3M6 8h4M6 11h4',
  range: 'M5 3H3v10h2M11 3h2v10h-2M6 8h4',
  locate: 'M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM8 1v3M8 12v3M1 8h3M12 8h3',
} as const;

export function Icon({ name }: { readonly name: keyof typeof PATHS }) {
  return (
    <svg
      class="icon"
      data-icon={name}
      viewBox="0 0 16 16"
      width="1em"
      height="1em"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
