import { type ServiceConfig, type ServiceSettings, safeServiceConfig } from '../../src/service/config.ts';

/** The configuration of a service in a test, including values that only code can set. */
export const serviceConfigFor = (given: ServiceSettings & Partial<ServiceConfig>): ServiceConfig => {
  const { data, error } = safeServiceConfig(given);
  if (!data) throw error;
  return data;
};
