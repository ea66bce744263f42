/** A series that a query selects, and the labels that it is selected or grouped by. */
export interface Selected {
  metric: string
  labels: string[]
}

const functions = /^(sum|max|min|avg|count|topk|rate|increase|round|histogram_quantile)$/
const words = new Set(['by', 'and', 'or', 'unless', 'on', 'ignoring', 'bool', 'offset'])
/** Prometheus adds these to every series that it scrapes; `le` is that of a histogram's buckets. */
const alwaysThere = new Set(['job', 'instance', 'le'])

/**
 * The metrics of a query with the labels that it uses of them, for the small part of PromQL that rules and dashboards use;
 * `promtool` checks the grammar. A grouping counts for every metric of the query.
 */
export function selectedIn(query: string): Selected[] {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => labelsIn(list))
  const bare = query.replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '')
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)\s*(\{[^}]*\}|\()?/g)].flatMap(([, name = '', rest]) => {
    if (rest === '(' || words.has(name)) {
      if (rest === '(' && !functions.test(name))
        throw new Error(`${name} is not a function that is used here`)
      return []
    }
    const matched = [...(rest ?? '').matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label)
    return [{ metric: name, labels: [...new Set([...matched, ...grouped])].filter(isOwn) }]
  })
}

const labelsIn = (list: string): string[] =>
  list
    .split(',')
    .map((label) => label.trim())
    .filter(Boolean)

const isOwn = (label: string): boolean => !alwaysThere.has(label)
