import type pg from 'pg';

/** The clock that drives order statuses, shared by all processes on a database. */
export interface ServiceClock {
  /** The reading, in milliseconds since the clock was created. */
  read(): Promise<number>;
  /** Steps the clock forward and returns the new reading, at any speed. */
  advance(ms: number): Promise<number>;
  /** Sets how many times faster than real time the clock runs from now on; 0 stops it. */
  setSpeed(speed: number): Promise<number>;
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
  };
};
