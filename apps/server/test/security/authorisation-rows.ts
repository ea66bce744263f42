import {
  allRoutes,
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
] as const
export type Who = (typeof columns)[number]

/** `hidden`: exactly the same response as for something that does not exist. */
type Verdict = 'let in' | 'hidden' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'SESSION_INVALID' | 'SESSION_MISMATCH'
export type Row = Record<Who, Verdict>

const row = (verdict: (who: Who) => Verdict): Row =>
  Object.fromEntries(columns.map((who) => [who, verdict(who)])) as Row

const open = row(() => 'let in')
const signedIn: Row = { ...open, nobody: 'UNAUTHENTICATED' }
/** Decided by the session alone; a session of another experiment is reported as such. */
const takingPart: Row = {
  ...row(() => 'SESSION_INVALID'),
  participant: 'let in',
  guest: 'let in',
  'other participant': 'SESSION_MISMATCH',
}
const researching: Row = {
  ...signedIn,
  participant: 'FORBIDDEN',
  'other participant': 'FORBIDDEN',
  guest: 'FORBIDDEN',
}
const viewing: Row = { ...researching, 'other researcher': 'hidden' }
const editing: Row = { ...viewing, viewer: 'FORBIDDEN' }
const owning: Row = { ...editing, editor: 'FORBIDDEN' }
/** Shared with nobody: owners and administrators only. */
const keeping: Row = { ...viewing, viewer: 'hidden', editor: 'hidden' }
/** Only with the key of functions and workers, which nobody here has. */
const internal = row(() => 'UNAUTHENTICATED')
const administering: Row = {
  ...owning,
  owner: 'FORBIDDEN',
  'other researcher': 'FORBIDDEN',
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
  'GET /api/v4/participant/history': signedIn,
  'GET /api/v4/participant/media': takingPart,
  'GET /api/v3/participant/discover': { ...signedIn, guest: 'FORBIDDEN' },
  'POST /api/v3/participant/join': signedIn,
  'POST /api/v3/participant/events': signedIn,
  'GET /api/v3/participant/history': signedIn,

  'POST /api/participant/guest': open,

  'POST /api/experiments': researching,
  'GET /api/experiments': researching,
  'GET /api/experiments/:experimentId': viewing,
  'PUT /api/experiments/:experimentId': editing,
  'POST /api/experiments/:experimentId/status': editing,
  'GET /api/experiments/:experimentId/export': viewing,
  'GET /api/experiments/:experimentId/monitor': viewing,
  'GET /api/experiments/:experimentId/activity': viewing,
  'GET /api/experiments/:experimentId/shares': owning,
  'PUT /api/experiments/:experimentId/shares': owning,
  'POST /api/experiments/:experimentId/matching/dry-run': viewing,
  'POST /api/experiments/:experimentId/rooms': editing,
  'GET /api/experiments/:experimentId/rooms': viewing,
  'GET /api/experiments/:experimentId/revisions': viewing,
  'GET /api/experiments/:experimentId/revisions/:revision': viewing,
  'GET /api/experiments/:experimentId/participants': owning,
  'POST /api/sessions/:sessionId/revoke': administering,

  'GET /api/room/:roomId/state': viewing,
  'GET /api/room/:roomId/participants': viewing,
  'POST /api/room/:roomId/advance': editing,
  'POST /api/room/:roomId/pause': editing,
  'POST /api/room/:roomId/resume': editing,
  'POST /api/room/:roomId/message': editing,
  'POST /api/room/:roomId/participants/:participantId/remove': editing,
  'POST /api/room/:roomId/end': editing,
  'POST /api/room/:roomId/agents/:participantId/prompt': editing,
  'GET /api/room/:roomId/agent-turns': viewing,

  'GET /api/experiments/:experimentId/agents': viewing,
  'GET /api/experiments/:experimentId/agent-turns': viewing,
  'POST /api/experiments/:experimentId/pilots': editing,
  'GET /api/experiments/:experimentId/pilots': viewing,

  'POST /api/agents/credentials': researching,
  'GET /api/agents/credentials': researching,
  // A credential of the experiment's owner, which the experiment uses: to those it is shared with it does not exist.
  'GET /api/agents/credentials/:credentialId': keeping,
  'PUT /api/agents/credentials/:credentialId': keeping,
  'DELETE /api/agents/credentials/:credentialId': keeping,
  'POST /api/agents/credentials/:credentialId/test': keeping,
  'GET /api/agents/credentials/:credentialId/figures': keeping,

  'POST /api/upload/video': researching,
  'POST /api/upload/video/multipart/initiate': researching,
  'POST /api/upload/video/multipart/sign': researching,
  'GET /api/upload/video/multipart/parts': researching,
  'POST /api/upload/video/multipart/complete': researching,
  'POST /api/upload/video/multipart/abort': researching,
  // A video that the owner of the experiment uploaded, and that the experiment uses.
  'GET /api/videos': researching,
  'GET /api/videos/:videoId': viewing,
  'DELETE /api/videos/:videoId': { ...viewing, viewer: 'FORBIDDEN', editor: 'FORBIDDEN' },
  'POST /api/videos/:videoId/retry-hls': administering,
  'POST /api/internal/videos/:videoId/hls-submitted': internal,
  'POST /api/internal/videos/:videoId/hls-progress': internal,
  'POST /api/internal/videos/:videoId/hls-complete': internal,

  'GET /health/live': open,
  'GET /health/ready': open,
  'GET /health/pod': open,
  'GET /health/cluster': open,
  'GET /health/connection': open,
  'GET /api/health/metrics': open,
  'GET /api/openapi.json': open,
  'GET /api/docs': open,
  'GET /api/identity': open,
  'POST /dev/identity/token': open,
  'GET /dev/identity/jwks': open,

  '/experiment submit_response': takingPart,
  '/experiment send_message': takingPart,
  '/experiment ready': takingPart,
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
  '/experiment → variables': takingPart,
  '/experiment → paused': takingPart,
  '/experiment → resumed': takingPart,
  '/experiment → announcement': takingPart,
  '/experiment → finished': takingPart,
  '/experiment → room_ended': takingPart,
  '/console → video:updated': researching,
  '/sync → playback_state': takingPart,
}

export const nameOf = ({ method, path }: RouteSpec): string => `${method} ${path}`
export const actionNames = {
  '/experiment': Object.keys(roomActions),
  '/waiting': Object.keys(waitingActions),
  '/sync': ['clock_ping', ...Object.keys(syncActions)],
}
const pushed = RoomEvent.anyOf.map(({ properties }) => properties.type.const)

/** Every route and socket event of the contract. */
export const everything: readonly string[] = [
  ...allRoutes.map(nameOf),
  ...Object.entries(actionNames).flatMap(([namespace, names]) => names.map((name) => `${namespace} ${name}`)),
  ...pushed.map((type) => `/experiment → ${type}`),
  ...Object.keys(consoleEvents).map((name) => `/console → ${name}`),
  '/sync → playback_state',
]
