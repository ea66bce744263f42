import {
  consoleEvents,
  RoomEvent,
  type RouteSpec,
  roomActions,
  syncActions,
  waitingActions,
} from '@atrium/contract'

/** The kinds of callers. All belong to the same experiment, except those called `other`. */
export const columns = [
  'nobody',
  'participant',
  'other participant',
  'guest',
  'owner',
  'viewer',
  'editor',
  'other researcher',
  'admin',
  // R49. The first three are the owner's; the last is the administrator's, and writes.
  'read key',
  'write key',
  'write key for other experiments',
  'admin’s key',
] as const
export type Who = (typeof columns)[number]

/** `hidden`: exactly the same response as for something that does not exist. */
type Verdict = 'let in' | 'hidden' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'SESSION_INVALID' | 'SESSION_MISMATCH'
export type Row = Record<Who, Verdict>

const row = (verdict: (who: Who) => Verdict): Row =>
  Object.fromEntries(columns.map((who) => [who, verdict(who)])) as Row

const open = row(() => 'let in')
const keysRefused = {
  'read key': 'FORBIDDEN',
  'write key': 'FORBIDDEN',
  'write key for other experiments': 'FORBIDDEN',
  'admin’s key': 'FORBIDDEN',
} as const satisfies Partial<Row>
const signedIn: Row = { ...open, nobody: 'UNAUTHENTICATED', ...keysRefused }
/** Decided by the session alone; a session of another experiment is reported as such. */
const takingPart: Row = {
  ...row(() => 'SESSION_INVALID'),
  participant: 'let in',
  guest: 'let in',
  'other participant': 'SESSION_MISMATCH',
}
/** Those who change something, as a route that is not GET does. A read key does not. */
const researching: Row = {
  ...signedIn,
  'write key': 'let in',
  'admin’s key': 'let in',
  participant: 'FORBIDDEN',
  'other participant': 'FORBIDDEN',
  guest: 'FORBIDDEN',
}
/** Without keys: a stolen one must not make another. */
const managingKeys: Row = { ...researching, ...keysRefused }
const viewing: Row = {
  ...researching,
  'other researcher': 'hidden',
  'write key for other experiments': 'hidden',
  'admin’s key': 'hidden',
}
const editing: Row = { ...viewing, viewer: 'FORBIDDEN' }
/** People only, of whom keys learn nothing. */
const owning: Row = { ...editing, editor: 'FORBIDDEN', ...keysRefused }
const spending: Row = { ...editing, ...keysRefused }
/** What belongs to a researcher and to no experiment is not for keys that are limited to some. */
const ofResearcher = { 'write key for other experiments': 'FORBIDDEN' } as const
/** Shared with nobody: owners and administrators only. */
const keeping: Row = { ...viewing, viewer: 'hidden', editor: 'hidden', ...ofResearcher }
/** A read key may do what the others may, where nothing changes. */
const reading = (row: Row): Row => ({ ...row, 'read key': row['write key'] })
/** Only with the key of functions and workers, which nobody here has. */
const internal = row(() => 'UNAUTHENTICATED')
const administering: Row = {
  ...owning,
  owner: 'FORBIDDEN',
  'other researcher': 'FORBIDDEN',
}

/** R47: the file that says who people are, on a route that others may call too. */
export const readingIdentities: Row = {
  ...owning,
  'write key for other experiments': 'hidden',
  'admin’s key': 'hidden',
}

/**
 * Who may do what, stated a second time, independently of the contract: a route that requires less than it should
 * contradicts its row, and a route without a row fails. A new route is one line here.
 */
export const rows: Readonly<Record<string, Row>> = {
  'GET /api/v4/participant/discover': takingPart,
  'POST /api/v4/participant/join': signedIn,
  'POST /api/v4/participant/events': takingPart,
  'POST /api/v4/participant/complete': takingPart,
  'POST /api/v4/participant/withdraw': takingPart,
  'POST /api/v4/participant/files/:componentId': takingPart,
  'GET /api/v4/participant/history': signedIn,
  'GET /api/v4/participant/media': takingPart,
  'GET /api/v3/participant/discover': { ...signedIn, guest: 'FORBIDDEN' },
  'POST /api/v3/participant/join': signedIn,
  'POST /api/v3/participant/events': signedIn,
  'GET /api/v3/participant/history': signedIn,

  'POST /api/participant/guest': open,

  'POST /api/experiments': researching,
  'POST /api/experiments/drafts': researching,
  'POST /api/experiments/check': researching,
  'POST /api/experiments/:experimentId/check': editing,
  // Shows a key that is limited to some experiments only those.
  'GET /api/experiments': reading({ ...researching, 'write key for other experiments': 'let in' }),
  'GET /api/experiments/:experimentId': reading(viewing),
  'PUT /api/experiments/:experimentId': editing,
  'POST /api/experiments/:experimentId/status': editing,
  'DELETE /api/experiments/:experimentId': owning,
  'GET /api/experiments/:experimentId/export': reading(viewing),
  'GET /api/experiments/:experimentId/monitor': reading(viewing),
  'GET /api/experiments/:experimentId/activity': reading(viewing),
  'GET /api/experiments/:experimentId/live': reading(viewing),
  'GET /api/experiments/:experimentId/live/stream': reading(viewing),
  'GET /api/experiments/:experimentId/plots': reading(viewing),
  'GET /api/experiments/:experimentId/flow': reading(viewing),
  'GET /api/experiments/:experimentId/people': reading(viewing),
  'GET /api/experiments/:experimentId/people/:participantId/timeline': reading(viewing),
  'GET /api/experiments/:experimentId/people/:participantId/files/:fileId': reading(viewing),
  'GET /api/experiments/:experimentId/shares': owning,
  'PUT /api/experiments/:experimentId/shares': owning,
  'POST /api/experiments/:experimentId/matching/dry-run': viewing,
  'POST /api/experiments/:experimentId/payment-forecast': viewing,
  'POST /api/experiments/:experimentId/rooms': editing,
  'GET /api/experiments/:experimentId/rooms': reading(viewing),
  'GET /api/experiments/:experimentId/revisions': reading(viewing),
  'GET /api/experiments/:experimentId/revisions/:revision': reading(viewing),
  'GET /api/experiments/:experimentId/draft': editing,
  'PUT /api/experiments/:experimentId/draft': editing,
  'DELETE /api/experiments/:experimentId/draft': editing,
  'POST /api/experiments/:experimentId/publish': editing,
  'POST /api/experiments/:experimentId/tries': viewing,
  'GET /api/experiments/:experimentId/tries': reading(viewing),
  'DELETE /api/experiments/:experimentId/tries/:tryId': viewing,
  'GET /api/experiments/:experimentId/participants': owning,
  'GET /api/experiments/:experimentId/participants/:participantId/export': owning,
  'DELETE /api/experiments/:experimentId/participants/:participantId': owning,
  'POST /api/sessions/:sessionId/revoke': administering,
  'GET /api/audit': administering,
  'GET /api/system/instances': administering,
  'GET /api/system/researchers': administering,

  'GET /api/room/:roomId/state': reading(viewing),
  'GET /api/room/:roomId/participants': reading(viewing),
  'GET /api/room/:roomId/moments': reading(viewing),
  'GET /api/room/:roomId/replay': reading(viewing),
  'POST /api/room/:roomId/advance': editing,
  'POST /api/room/:roomId/pause': editing,
  'POST /api/room/:roomId/resume': editing,
  'POST /api/room/:roomId/message': editing,
  'POST /api/room/:roomId/participants/:participantId/remove': editing,
  'POST /api/room/:roomId/end': editing,
  'POST /api/room/:roomId/agents/:participantId/prompt': editing,
  'GET /api/room/:roomId/agent-turns': reading(viewing),

  'GET /api/experiments/:experimentId/agents': reading(viewing),
  'GET /api/experiments/:experimentId/agent-turns': reading(viewing),
  'POST /api/experiments/:experimentId/pilots': editing,
  'GET /api/experiments/:experimentId/pilots': reading(viewing),

  'POST /api/agents/credentials': researching,
  'GET /api/agents/credentials': reading(researching),
  // A credential of the experiment's owner, which the experiment uses: to those it is shared with it does not exist.
  'GET /api/agents/credentials/:credentialId': reading(keeping),
  'PUT /api/agents/credentials/:credentialId': keeping,
  'DELETE /api/agents/credentials/:credentialId': keeping,
  'POST /api/agents/credentials/:credentialId/test': keeping,
  'POST /api/agents/credentials/:credentialId/study-draft': keeping,
  'GET /api/agents/credentials/:credentialId/figures': reading(keeping),

  'GET /api/experiments/:experimentId/bonus-file': owning,
  // With the token money is spent, so no key may use it.
  'GET /api/experiments/:experimentId/prolific': spending,
  'PUT /api/experiments/:experimentId/prolific': spending,
  'DELETE /api/experiments/:experimentId/prolific': spending,
  'POST /api/experiments/:experimentId/prolific/studies': spending,
  'GET /api/experiments/:experimentId/prolific/studies/:studyId/submissions': spending,
  'POST /api/experiments/:experimentId/prolific/studies/:studyId/submissions/:submissionId/approve': spending,
  'POST /api/experiments/:experimentId/prolific/studies/:studyId/submissions/:submissionId/bonus': spending,
  'PUT /api/experiments/:experimentId/prolific/studies/:studyId/submissions/:submissionId/bonus': spending,
  'POST /api/keys': managingKeys,
  'GET /api/keys': managingKeys,
  // A key of the experiment's owner.
  'DELETE /api/keys/:keyId': { ...keeping, ...keysRefused },

  'POST /api/upload/video': researching,
  'POST /api/upload/video/multipart/initiate': researching,
  'POST /api/upload/video/multipart/sign': researching,
  'GET /api/upload/video/multipart/parts': reading(researching),
  'POST /api/upload/video/multipart/complete': researching,
  'POST /api/upload/video/multipart/abort': researching,
  'POST /api/upload/media': researching,
  // A picture that the owner of the experiment uploaded, and that the experiment uses.
  'GET /api/media-files': reading(researching),
  'GET /api/media-files/:mediaId': reading({ ...viewing, ...ofResearcher }),
  'PUT /api/media-files/:mediaId': {
    ...viewing,
    viewer: 'FORBIDDEN',
    editor: 'FORBIDDEN',
    ...ofResearcher,
  },
  'DELETE /api/media-files/:mediaId': {
    ...viewing,
    viewer: 'FORBIDDEN',
    editor: 'FORBIDDEN',
    ...ofResearcher,
  },
  // A video that the owner of the experiment uploaded, and that the experiment uses.
  'GET /api/videos': reading(researching),
  'GET /api/videos/:videoId': reading({ ...viewing, ...ofResearcher }),
  'DELETE /api/videos/:videoId': {
    ...viewing,
    viewer: 'FORBIDDEN',
    editor: 'FORBIDDEN',
    ...ofResearcher,
  },
  'POST /api/videos/:videoId/retry-hls': administering,
  'POST /api/internal/videos/:videoId/hls-submitted': internal,
  'POST /api/internal/videos/:videoId/hls-progress': internal,
  'POST /api/internal/videos/:videoId/hls-complete': internal,

  'POST /api/tables': researching,
  'GET /api/tables': reading(researching),
  // A table of the experiment's owner that no experiment uses.
  'GET /api/tables/:tableId': reading(keeping),
  'DELETE /api/tables/:tableId': keeping,

  'GET /health/live': open,
  'GET /health/ready': open,
  'GET /health/pod': open,
  'GET /health/cluster': open,
  'GET /health/connection': open,
  'GET /api/health/metrics': open,
  'GET /api/openapi.json': open,
  'GET /api/asyncapi.json': open,
  'GET /api/docs': open,
  'GET /api/identity': open,
  'POST /dev/identity/token': open,
  'GET /dev/identity/jwks': open,

  '/experiment submit_response': takingPart,
  '/experiment send_message': takingPart,
  '/experiment ready': takingPart,
  '/experiment cannot_answer': takingPart,
  '/experiment leave': takingPart,
  '/waiting leave_waiting': takingPart,
  '/sync clock_ping': takingPart,
  '/sync playback_command': takingPart,
  '/sync playback_buffer': takingPart,
  '/sync sync_report': takingPart,

  // Pushed events. Callers who cannot connect receive nothing.
  '/experiment → state_entered': takingPart,
  '/experiment → response_recorded': takingPart,
  '/experiment → result': takingPart,
  '/experiment → message': takingPart,
  '/experiment → ready': takingPart,
  '/experiment → presence': takingPart,
  '/experiment → seat': takingPart,
  '/experiment → seated': takingPart,
  '/experiment → texts': takingPart,
  '/experiment → variables': takingPart,
  '/experiment → paused': takingPart,
  '/experiment → resumed': takingPart,
  '/experiment → announcement': takingPart,
  '/experiment → finished': takingPart,
  '/experiment → stage_finished': takingPart,
  '/experiment → crowd': takingPart,
  '/experiment → neighbours': takingPart,
  '/experiment → roles': takingPart,
  '/experiment → room_ended': takingPart,
  '/console → video:updated': { ...researching, ...keysRefused },
  '/sync → playback_state': takingPart,
}

export const nameOf = ({ method, path }: RouteSpec): string => `${method} ${path}`
export const actionNames = {
  '/experiment': Object.keys(roomActions),
  '/waiting': Object.keys(waitingActions),
  '/sync': ['clock_ping', ...Object.keys(syncActions)],
}
const pushed = RoomEvent.anyOf.map(({ properties }) => properties.type.const)

/** These routes, and every socket event of the contract. */
export const everythingIn = (routes: readonly RouteSpec[]): readonly string[] => [
  ...routes.map(nameOf),
  ...Object.entries(actionNames).flatMap(([namespace, names]) => names.map((name) => `${namespace} ${name}`)),
  ...pushed.map((type) => `/experiment → ${type}`),
  ...Object.keys(consoleEvents).map((name) => `/console → ${name}`),
  '/sync → playback_state',
]

/** What has no row, and rows about nothing. */
export const unmatchedRows = (names: readonly string[]) => ({
  withoutRow: names.filter((name) => !Object.hasOwn(rows, name)),
  aboutNothing: Object.keys(rows).filter((name) => !names.includes(name)),
})
