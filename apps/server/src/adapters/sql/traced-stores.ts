import { inSpan, type Tracing } from '@atrium/program'
import { type Database, type Stores, storesCalling } from './stores.ts'

/**
 * Stores whose calls are spans of the request, action or turn that makes them. Calls of nobody (leases, sweeps) are not
 * recorded. A group of events is written in the span of whoever began it.
 */
export function traceStores(database: Database, tracing: Tracing): Database {
  const stores = storesCalling((store, method, args) => {
    const target = database[store as keyof Stores] as unknown as Record<
      string,
      (...args: unknown[]) => Promise<unknown>
    >
    const call = async () => await target[method]?.(...args)
    if (!tracing.isWithin()) return call()
    // Only names: the arguments are what people wrote.
    const facts = { 'atrium.store': store, 'atrium.store.method': method }
    return inSpan(tracing, [`store ${store}.${method}`, { kind: 'client', facts }], call)
  })
  return { ...stores, close: () => database.close() }
}
