import { headerKey } from '../../columns/fields.ts';
import { type FileMapping, withMapping } from '../../file-mapping.ts';
import type { IntakeOptions } from '../../options.ts';
import type { NearestLayout } from '../nearest-layout.ts';
import { proposeMap } from './propose-map.ts';
import type { ProposedMap } from './proposed-map.ts';

type Request = Omit<Parameters<typeof proposeMap>[0], 'options'>;

/** A person's mapping merged with the nearest layout's; the person's takes precedence. */
interface Near {
  proposed: ProposedMap;
  mapping: FileMapping;
  nearest: NearestLayout | undefined;
}

const keysOf = ({ columns = {} }: FileMapping): ReadonlySet<string> =>
  new Set(Object.keys(columns).map(headerKey));

/**
 * A proposal from a person's mapping so far, completed by the layout with the nearest header, unless the file cannot be read with it. Each
 * column names the source of its decision.
 */
export const proposeNear = async (
  request: Request,
  intake: IntakeOptions,
  person: FileMapping,
  nearest: NearestLayout | undefined,
): Promise<Near> => {
  const { mapping: agreed = {} } = nearest ?? {};
  const mapping = { ...agreed, ...person, columns: { ...agreed.columns, ...person.columns } };
  const proposed = await proposeMap({ ...request, options: withMapping(intake, mapping) });
  if (proposed.kind === 'refused')
    return nearest ? proposeNear(request, intake, person, undefined) : { proposed, mapping, nearest };
  const [chosen, near] = [keysOf(person), keysOf(agreed)];
  const whyOf = (key: string): { why: string } | undefined => {
    if (chosen.has(key)) return { why: 'chosen by you' };
    return near.has(key) ? { why: `as in the layout ${JSON.stringify(nearest!.name)}` } : undefined;
  };
  const columns = proposed.columns.map((one) => ({ ...one, ...whyOf(headerKey(one.header)) }));
  return { proposed: { ...proposed, columns }, mapping, nearest };
};
