import { Counter, Histogram, type Registry } from 'prom-client'

/** Creates the counters and histograms of a registry. */
export const instruments = (registry: Registry) => ({
  counter: <const Label extends string>(name: string, help: string, ...labelNames: Label[]): Counter<Label> =>
    new Counter({ name, help, labelNames, registers: [registry] }),
  histogram: <const Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers: [registry] }),
})
