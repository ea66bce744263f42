interface Declared {
  name: string
  help: string
  labels?: readonly string[]
  buckets?: readonly number[]
}

/** A declared metric, as prom-client wants it. */
export const describedMetric = ({ name, help, labels = [], buckets }: Declared) => ({
  name,
  help,
  labelNames: [...labels],
  ...(buckets && { buckets: [...buckets] }),
})
