import {
  credentialRoutes,
  identityRoutes,
  keyRoutes,
  participantRoutes,
  shareRoutes,
  tableRoutes,
} from '@atrium/contract'
import {
  type Api,
  createPerson,
  createResearcher,
  smallestDefinition,
  succeeded,
  type World,
} from '@atrium/testkit'
import { insertMedia, insertVideo } from '../stories/database.ts'
import type { Who } from './authorisation-rows.ts'

/** The credentials of a caller: an ID token, a session, or both. */
export interface Credentials {
  token?: string
  session?: { sessionId: string; sessionToken: string }
  roomId?: string
}

const pair = smallestDefinition({ matching: { groupSize: 2 } })

/**
 * All people of the matrix, and what they try to access: an experiment with a room and a disposable session, and a
 * video and a credential that it uses.
 */
export async function createPeople(api: Api, world: World) {
  const owner = await createResearcher(api)
  const [viewer, editor, other] = [
    await createResearcher(api),
    await createResearcher(api),
    await createResearcher(api),
  ]
  const videoId = await insertVideo(world, owner.token)
  const video = { id: 'film', type: 'video', videoId }
  const mediaId = await insertMedia(world, owner.token)
  const picture = { id: 'picture', type: 'image', mediaId }
  const experimentId = await owner.openExperiment(smallestDefinition({ globalComponents: [video, picture] }))
  const credentialId = await createCredential(api, owner.token)
  const experimentWithAgentId = await owner.openExperiment(studyWithAgent(credentialId))
  const waitingExperimentId = await owner.openExperiment(pair)
  const shares = [
    { user: viewer.sub, access: 'view' },
    { user: editor.sub, access: 'edit' },
  ]
  for (const shared of [experimentId, experimentWithAgentId]) {
    const share = { token: owner.token, params: { experimentId: shared }, body: { shares } }
    succeeded(await api.call(shareRoutes.replace, share))
  }
  const victim = await (await createPerson(api)).join(experimentId)
  const participant = await createPerson(api)
  const stranger = await createPerson(api)
  const otherExperimentId = await other.openExperiment()
  const admin = await api.token('matrix-admin', ['admin'])
  const keyOf = async (token: string, more: object = {}) => {
    const body = { name: 'Matrix', access: 'write', ...more }
    return succeeded(await api.call(keyRoutes.create, { token, body }))
  }
  const people: Record<Who, Credentials> = {
    nobody: {},
    participant: await participantIn(participant, experimentId),
    'other participant': await participantIn(stranger, otherExperimentId),
    guest: await guestOf(api, experimentId),
    owner: { token: owner.token },
    viewer: { token: viewer.token },
    editor: { token: editor.token },
    'other researcher': { token: other.token },
    admin: { token: admin },
    'read key': { token: (await keyOf(owner.token, { access: 'read' })).key },
    'write key': { token: (await keyOf(owner.token)).key },
    'write key for other experiments': {
      token: (await keyOf(owner.token, { experiments: [waitingExperimentId] })).key,
    },
    'admin’s key': { token: (await keyOf(admin)).key },
  }
  const waiting: Partial<Record<Who, Credentials>> = {
    participant: await participantIn(participant, waitingExperimentId),
    guest: await guestOf(api, waitingExperimentId),
  }
  const { roomId, participantId, sessionId } = victim
  return {
    people,
    /** Sessions in a waiting room. */
    waiting,
    waitingExperimentId,
    /** A disposable key of the owner, since those who may revoke it do. */
    /** A disposable table of the owner, likewise. */
    newTableId: async () => {
      const body = { name: 'Matrix', text: 'a\n1' }
      return succeeded(await api.call(tableRoutes.create, { token: owner.token, body })).tableId
    },
    newKeyId: async () => (await keyOf(owner.token)).keyId,
    params: {
      fileId: `file_${'A'.repeat(22)}`,
      experimentId,
      roomId,
      participantId,
      sessionId,
      revision: '1',
      videoId,
      mediaId,
      credentialId,
    } as Record<string, string>,
  }
}

/** A model server at a port where nothing listens. */
const credential = {
  name: 'Nowhere',
  provider: 'Custom',
  baseUrl: 'http://127.0.0.1:9/v1',
  apiKey: 'any',
  model: 'none',
}

async function createCredential(api: Api, token: string): Promise<string> {
  return succeeded(await api.call(credentialRoutes.create, { token, body: credential })).credentialId
}

const studyWithAgent = (credentialId: string) =>
  smallestDefinition({
    consent: { text: 'A model reads what you write.', sendsTextToModels: true },
    agents: [{ id: 'robin', name: 'Robin', credentialId, seats: 1, instructions: 'Be kind.' }],
  })

/** R51: a person without an account, whose token is valid for this experiment. */
async function guestOf(api: Api, experimentId: string): Promise<Credentials> {
  const { idToken: token } = succeeded(await api.call(identityRoutes.guest, { body: { experimentId } }))
  const { sessionId, sessionToken, roomId } = succeeded(
    await api.call(participantRoutes.joinV4, { token, body: { experimentId } }),
  ).data
  return { token, session: { sessionId, sessionToken }, roomId }
}

async function participantIn(
  person: Awaited<ReturnType<typeof createPerson>>,
  experimentId: string,
): Promise<Credentials> {
  const { sessionId, sessionToken, roomId } = await person.join(experimentId)
  return { token: person.token, session: { sessionId, sessionToken }, roomId }
}
