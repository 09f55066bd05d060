import { type ComponentType, createElement, lazy, Suspense } from 'react';

/** A component that is loaded when it is shown for the first time; until then its place is empty. */
export const later = <Props extends object>(
  load: () => Promise<{ default: ComponentType<Props> }>,
): ComponentType<Props> => {
  const Part = lazy(load);
  return (props) => <Suspense fallback={null}>{createElement(Part as ComponentType<Props>, props)}</Suspense>;
};
