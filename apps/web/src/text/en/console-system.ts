import type { InstanceStatus, Researcher } from '@atrium/contract'
import { format, plurals } from './console-format.ts'

/** What only administrators see of the system. */
export const system = {
  /** The page of the audit log. */
  audit: {
    title: 'Audit log',
    intro:
      'Exports, deletions, changes of access and status, and what researchers did in rooms, newest first. Entries cannot be changed or deleted here. A deleted participant is not named.',
    refresh: 'Refresh',
    columns: { at: 'When', actor: 'Who', action: 'What', subject: 'To what', details: 'Details' },
    detail: (name: string, value: string) => `${name}: ${value}`,
    empty: { title: 'Nothing yet', message: 'What researchers and administrators do will be listed here.' },
  },
  systemInside: {
    onlyAdmins: 'Administrators also see each instance, its metrics, and who has which role.',
    audit: 'Who did what is in the',
    auditLink: 'audit log',
    instances: {
      title: 'Each instance',
      columns: {
        name: 'Instance',
        status: 'Status',
        rooms: 'Rooms',
        participants: 'Participants',
        memory: 'Memory',
        cpu: 'CPU',
        lease: 'Lease renewed',
        started: 'Started',
      },
      status: {
        healthy: 'Healthy',
        draining: 'Draining',
        degraded: 'Degraded',
        lost: 'Lost',
      } satisfies Record<InstanceStatus, string>,
      meaning: {
        healthy: undefined,
        draining: 'Finishes its rooms and accepts no new ones.',
        degraded: 'Alive, but it cannot write to its database or reports late.',
        lost: 'Dead or cut off. The other instances take its rooms.',
      } satisfies Record<InstanceStatus, string | undefined>,
      of: (used: number, max: number | null) =>
        max === null ? format.number(used) : `${format.number(used)} of ${format.number(max)}`,
      ago: (ms: number) => `${format.duration(ms)} ago`,
      unknown: '–',
      card: (rooms: string, participants: string) => `Rooms: ${rooms} · participants: ${participants}`,
      cardMore: (memory: string, lease: string) => `Memory: ${memory} · lease renewed: ${lease}`,
    },
    metrics: {
      title: 'Recent metrics',
      range: (from: string, to: string) =>
        `From ${from} to ${to}, the same in every picture; each begins at zero.`,
      tooEarly: (seconds: number) =>
        `Lines appear after the second sample. Each instance takes one every ${plurals.count(seconds, { one: 'second', other: 'seconds' })} and keeps the last 60.`,
      names: {
        httpRequests: 'Requests per minute',
        httpRequestDuration: 'Mean response time',
        activeExperiments: 'Active studies',
        connectedClients: 'Connected sockets',
        disconnects: 'Disconnections per minute',
        syncAccuracy: 'Mean playback drift',
        memoryBytes: 'Memory',
      },
      none: 'no values',
      max: (value: string) => `most: ${value}`,
      inWords: (name: string, instances: { podId: string; now: string; max: string }[]) =>
        `${name}. ${instances.map(({ podId, now, max }) => `${podId}: now ${now}, at most ${max}`).join('; ')}.`,
    },
    people: {
      title: 'People and their roles',
      intro:
        'Researchers and administrators who have used the platform. Roles are given by your identity provider (the claim “roles”) or, for administrators, by the setting ADMIN_USERS; they take effect at the next sign-in and cannot be changed here.',
      columns: {
        person: 'Who',
        role: 'Role',
        from: 'Given by',
        experiments: 'Studies',
        seen: 'Last seen',
        first: 'First seen',
      },
      roles: { admin: 'Administrator', researcher: 'Researcher' } satisfies Record<
        Researcher['role'],
        string
      >,
      from: { token: 'identity provider', configuration: 'ADMIN_USERS' } satisfies Record<
        Researcher['roleFrom'],
        string
      >,
      card: (from: string, experiments: number, seen: string) =>
        `Given by: ${from} · ${plurals.count(experiments, { one: 'study', other: 'studies' })} · last seen ${seen}`,
      empty: {
        title: 'Nobody yet',
        message: 'Researchers and administrators are listed here once they have signed in.',
      },
    },
  },
}
