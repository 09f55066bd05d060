import { createDecode } from '../../../src/intake/formats/csv/legacy-encodings.ts';

/** The bytes of a text, by looking up which bytes each character comes from. Throws if the encoding lacks a character. */
export const encodeText = (text: string, encoding: string): Buffer => {
  const wanted = new Map([...text].map((character) => [character, undefined as Buffer | undefined]));
  const decode = (bytes: Buffer) => {
    try {
      const read = createDecode(encoding);
      return read(bytes) + read(undefined);
    } catch {
      return undefined;
    }
  };
  const consider = (bytes: Buffer) => {
    const character = decode(bytes);
    if (character !== undefined && wanted.has(character))
      wanted.set(character, wanted.get(character) ?? bytes);
  };
  for (let lead = 0; lead < 256; lead += 1) consider(Buffer.from([lead]));
  if ([...wanted.values()].includes(undefined)) {
    for (let lead = 0x81; lead < 255; lead += 1) {
      for (let trail = 0x40; trail < 255; trail += 1) consider(Buffer.from([lead, trail]));
    }
  }
  return Buffer.concat(
    [...text].map((character) => {
      const bytes = wanted.get(character);
      if (!bytes) throw new Error(`${encoding} has no ${character}`);
      return bytes;
    }),
  );
};
