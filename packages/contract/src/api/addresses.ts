// Method and path of each route that participants' pages call, without what describes it to readers and to the server:
// the pages load only this.

export const participantAddresses = {
  discoverV4: { method: 'GET', path: '/api/v4/participant/discover', envelope: 'participant' },
  mediaV4: { method: 'GET', path: '/api/v4/participant/media', envelope: 'participant' },
  fileV4: { method: 'POST', path: '/api/v4/participant/files/:componentId', envelope: 'participant' },
  joinV4: { method: 'POST', path: '/api/v4/participant/join', envelope: 'participant' },
  eventsV4: { method: 'POST', path: '/api/v4/participant/events', envelope: 'participant' },
  completeV4: { method: 'POST', path: '/api/v4/participant/complete', envelope: 'participant' },
  withdrawV4: { method: 'POST', path: '/api/v4/participant/withdraw', envelope: 'participant' },
  historyV4: { method: 'GET', path: '/api/v4/participant/history', envelope: 'participant' },
  discoverV3: { method: 'GET', path: '/api/v3/participant/discover', envelope: 'participant' },
  joinV3: { method: 'POST', path: '/api/v3/participant/join', envelope: 'participant' },
  eventsV3: { method: 'POST', path: '/api/v3/participant/events', envelope: 'participant' },
  historyV3: { method: 'GET', path: '/api/v3/participant/history', envelope: 'participant' },
} as const

export const identityAddresses = {
  signIn: { method: 'GET', path: '/api/identity', envelope: 'plain' },
  guest: { method: 'POST', path: '/api/participant/guest', envelope: 'plain' },
  /** R6: only while the embedded development issuer runs. */
  developmentToken: { method: 'POST', path: '/dev/identity/token', envelope: 'plain' },
} as const
