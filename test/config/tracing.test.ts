import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';

const endpoint = 'http://127.0.0.1:4318';
const names = { endpoint: 'OTEL_EXPORTER_OTLP_ENDPOINT', protocol: 'OTEL_EXPORTER_OTLP_PROTOCOL' };

test.each([
  [{}, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SDK_DISABLED: 'TRUE' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'none' }, undefined],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_EXPORTER: 'zipkin' }, undefined],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, { endpoint: undefined, protocol: undefined, names, timeoutMs: 3000 }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { endpoint, protocol: undefined, names, timeoutMs: 3000 }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: ' grpc ' },
    { endpoint, protocol: 'grpc', names, timeoutMs: 3000 },
  ],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: endpoint,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_TIMEOUT: '500',
    },
    {
      endpoint,
      protocol: 'http/json',
      names: {
        endpoint: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
        protocol: 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
      },
      timeoutMs: 500,
    },
  ],
])('traces are recorded as OpenTelemetry’s variables say: %j', (env, expected) => {
  expect(loadConfig({}, { CARTWRIGHT_BASE_URL: 'http://127.0.0.1:1', ...env }).tracing).toEqual(expected);
});
