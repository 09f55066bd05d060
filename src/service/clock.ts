import type pg from 'pg';

/** The state of the clock. */
export interface ClockState {
  /** Its date and time, ISO 8601 in UTC. */
  now: string;
  /** Milliseconds since the clock was created. */
  clockMs: number;
  /** How many times faster than real time it runs; 0: stopped. */
  speed: number;
}

/** The clock that drives order statuses and dates, shared by all processes on a database. */
export interface ServiceClock {
  /** The reading, in milliseconds since the clock was created. */
  read(): Promise<number>;
  state(): Promise<ClockState>;
  /** Steps the clock forward and returns the new reading, at any speed. */
  advance(ms: number): Promise<number>;
  /** Sets how many times faster than real time the clock runs from now on; 0 stops it. */
  setSpeed(speed: number): Promise<number>;
  /** Sets the clock to a moment, which may be an earlier one; undefined sets it to the real time. */
  set(moment?: Date): Promise<void>;
}

/** Each change is one statement on the clock's only row, so it is atomic across processes. */
export const createClock = (pool: pg.Pool): ServiceClock => {
  const reading = async (text: string, values: unknown[] = []) => {
    const { rows } = await pool.query<{ reading: number }>(text, values);
    return rows[0]?.reading ?? 0;
  };
  const read = () => reading('select dealer_service.clock_ms() as reading');
  return {
    read,
    state: async () => {
      const { rows } = await pool.query<{ now: Date; clock_ms: number; speed: number }>(
        'select dealer_service.clock_now() as now, dealer_service.clock_ms() as clock_ms, speed from dealer_service.clock',
      );
      const { now, clock_ms: clockMs, speed } = rows[0]!;
      return { now: now.toISOString(), clockMs, speed };
    },
    advance: async (ms) => {
      await pool.query('update dealer_service.clock set base_ms = base_ms + $1', [ms]);
      return read();
    },
    setSpeed: (speed) =>
      reading(
        `update dealer_service.clock
         set base_ms = dealer_service.clock_ms(), base_at = clock_timestamp(), speed = $1
         returning base_ms as reading`,
        [speed],
      ),
    set: async (moment) => {
      await pool.query(
        `update dealer_service.clock set base_at = clock_timestamp(),
           base_ms = dealer_service.clock_reading(coalesce($1::timestamptz, clock_timestamp()))`,
        [moment ?? null],
      );
    },
  };
};
