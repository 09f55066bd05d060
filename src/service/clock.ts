import type pg from 'pg';

/** The clock that orders move by; one for all processes on a database. */
export interface ServiceClock {
  /** Its reading, in milliseconds since it was made. */
  read(): Promise<number>;
  /** Steps it forward by hand, at whatever speed it runs; 0 moves nothing. */
  advance(ms: number): Promise<number>;
  /** How many times faster than real time it runs from now on; 0 stops it. */
  setSpeed(speed: number): Promise<number>;
}

/** Statements on the one row of the clock, so that a change is atomic over all processes. */
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
