/** Line icons on a 16 px grid. */
const paths = {
  today: 'M2.5 8.5 8 3l5.5 5.5M4 7.5V13h8V7.5',
  orders: 'M3 4.5h10M3 8h10M3 11.5h6',
  truck:
    'M1.5 4h8v7h-8zM9.5 6.500h3l2 2.500v2h-5M4 13a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3zM11.500 13a1.500 1.500 0 1 0 0-3 1.500 1.500 0 0 0 0 3z',
  imports: 'M8 2.5v7m0 0L5 6.7m3 2.8 3-2.8M2.5 11v2.5h11V11',
  upload: 'M8 10V3m0 0L5 5.8M8 3l3 2.8M2.5 11v2.5h11V11',
  accounts: 'M2.5 13.5v-8l5.5-3 5.5 3v8M5.5 13.5V9h5v4.5',
  reports: 'M4 2.5h5.5L12 5v8.5H4zM6 8h4M6 10.5h4',
  chart: 'M2.5 2.5v11h11M5.5 11V8M8.500 11V5M11.500 11V6.500',
  activity: 'M1.5 8.5h3L6.5 3l3 10 2-4.5h3',
  queues: 'M2.5 3.5h11v3h-11zM2.5 9.5h11v3h-11z',
  tokens: 'M5.500 10.500a3 3 0 1 1 2.600-4.500L13.500 6v2.500h-1.500V10H10V8.500H8.100a3 3 0 0 1-2.600 2z',
  settings:
    'M2.500 4.500h6M11.500 4.500h2M10 3v3M2.500 8h2M7.500 8h6M6 6.500v3M2.500 11.500h6M11.500 11.500h2M10 10v3',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.600 10.600 14 14',
  check: 'M3 8.500 6.500 12 13 4.500',
  clock: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 4.800V8l2.200 1.600',
  pause: 'M5.500 3.500v9M10.500 3.500v9',
  cross: 'M4 4l8 8M12 4l-8 8',
  minus: 'M3.500 8h9',
  lock: 'M4 7.500h8v6H4zM5.500 7.500V5.200a2.500 2.500 0 0 1 5 0v2.300',
  alert: 'M8 2.500 14.500 13.500h-13zM8 6.500V9.500M8 11.400v.2',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.300v3.700M8 4.900v.2',
  download: 'M8 2.500v7m0 0L5 6.700m3 2.800 3-2.800M2.500 13.500h11',
  external: 'M6.500 3.500h-4v10h10v-4M9.500 2.500h4v4M13.500 2.500 7.500 8.500',
  right: 'M6 3.500 10.500 8 6 12.500',
  left: 'M10 3.500 5.500 8l4.500 4.500',
  down: 'M3.500 6 8 10.500 12.500 6',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  play: 'M5 3.200v9.600L12.500 8z',
  retry: 'M13 8a5 5 0 1 1-1.500-3.600M12.500 2v3h-3',
  copy: 'M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3',
  file: 'M4 2.500h5.500L12 5v8.500H4zM9.500 2.500V5H12',
  filter: 'M2.500 3.500h11L9.500 8.500v4l-3 1v-5z',
  person:
    'M8 7.500a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM3 13.500c.4-2.800 2.300-4 5-4s4.600 1.200 5 4',
  signOut: 'M6.500 2.500h-4v11h4M6 8h8M11 5l3 3-3 3',
  stop: 'M4 4h8v8H4z',
} as const;

export type IconName = keyof typeof paths;

/** An icon beside a word. Screen readers skip it: the word says the same. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg
    aria-hidden="true"
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.5"
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={paths[name]} />
  </svg>
);
