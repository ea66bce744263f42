import { auditPerPage, auditRoutes, wholeNumberOf } from '@atrium/contract'
import type { Routes } from '../../http/route.ts'
import type { OperationsStore } from './operations.store.ts'

export type AuditReader = Pick<OperationsStore, 'auditPage'>

export function addAuditRoutes(routes: Routes, { auditPage }: AuditReader): void {
  routes.add(auditRoutes.list, async ({ query }) => {
    const limit = wholeNumberOf(query.limit, auditPerPage)
    const before = query.before === undefined ? null : Number(query.before)
    // One more than requested shows whether there is another page.
    const found = await auditPage({ limit: limit + 1, before })
    const entries = found.slice(0, limit)
    const last = entries.at(-1)
    return { entries, next: last && found.length > limit ? String(last.entry) : null }
  })
}
