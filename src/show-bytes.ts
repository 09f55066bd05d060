const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `12.3 GiB`. */
export const showBytes = (bytes: number): string => {
  const at = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  const value = bytes / 1024 ** at;
  return `${at === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[at]}`;
};
