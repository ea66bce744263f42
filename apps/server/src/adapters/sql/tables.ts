import type { Generated, Kysely } from 'kysely'

/**
 * The tables of both engines. Times are epoch milliseconds. JSON is text, because it is kept exactly as written and
 * read back whole. Who a participant is (`participant_identities`, `session_origins`) is kept apart from what they
 * did, so that research data can be shared without it.
 */
export interface Tables {
  experiments: {
    experiment_id: string
    status: string
    revision: number
    name: string
    capacity: number | null
    participant_count: number
    /** 0 while there is only what the draft was begun with. */
    is_published: Generated<number>
    /** Number of rooms that have begun; the next room's ordinal. */
    rooms_opened: Generated<number>
    /** Number of people in them when they began. */
    seats_opened: Generated<number>
    created_at: number
    updated_at: number
  }
  /** Number of roles drawn for participants who are alone in a room. */
  role_draws: { experiment_id: string; drawn: number }
  experiment_revisions: {
    experiment_id: string
    revision: number
    name: string
    definition: string
    /** For revision 1: the owner of the experiment (R37). */
    created_by: string
    created_at: number
    /** R94: for how many days after the end identities are kept; null for always. */
    identity_days: number | null
    /** R68: the stage that everybody begins with; null where there is only one. */
    first_stage: string | null
  }
  /** R37: whom an experiment is shared with. */
  experiment_shares: {
    experiment_id: string
    /** A subject with its issuer, or an e-mail address in lower case. */
    principal: string
    /** As the researcher wrote it. */
    user_name: string
    access: string
    position: number
  }
  rooms: {
    room_id: string
    experiment_id: string
    revision: number
    pod_id: string
    created_at: number
    closed_at: number | null
    /** Raised whenever an instance takes the room. */
    epoch: Generated<number>
    seed: Generated<string>
    /** Null until the room begins. */
    ordinal: number | null
    /** JSON: the seats taken by agents. */
    agents: Generated<string>
    /** Null while its clock runs. */
    paused_at: number | null
    /** Null if everybody completed before the room ended. */
    end_reason: string | null
    /** Set when the room begins; null without conditions, and where each participant has one. */
    condition: string | null
    /** JSON: what it was assigned when it began; null where nothing is, and in rooms that began before 0029. */
    assignment: string | null
    /** Since when no instance has held it; null while one does. */
    resting_since: number | null
    /** The next deadline of a resting room. */
    due_at: number | null
    /** JSON: the agents of a pilot; null in a room for people. */
    personas: string | null
    /** Null in a room for people. */
    pilot_id: string | null
    /** Position in its pilot, counted from 0, which becomes its ordinal. */
    pilot_place: number | null
    /** R68: the stage that is played there; null for the first. */
    stage: string | null
  }
  room_actions: {
    room_id: string
    seq: number
    epoch: number
    at: number
    actor: string
    action_id: string | null
    action: string
    /** R55: the number it was acknowledged with. Null if a server older than 0013 stored it. */
    answer: number | null
    /** RM141: JSON of what is replayed in its place; null unless somebody was deleted from the room. */
    replay: string | null
  }
  room_snapshots: { room_id: string; seq: number; state: string }
  participants: {
    participant_id: string
    experiment_id: string
    revision: number
    role: string
    room_id: string | null
    /** What the others in the room call them; null until they have a room. */
    alias: string | null
    joined_at: number
    completed_at: number | null
    /** The room's decision, and finally the outcome given; null while undecided. */
    outcome: string | null
    /** R56: 1 while the participation counts against the capacity. */
    holds_place: Generated<number>
    /** R38: 1 if the revision that they joined requires consent. */
    consent_required: Generated<number>
    /** Null until it is given, and again after it is withdrawn. */
    consented_at: number | null
    /** R92: when they were last here, where and why they stopped; null for people who are in or completed, or stopped before 0030. */
    dropped_at: Generated<number | null>
    dropped_state: Generated<string | null>
    drop_reason: Generated<string | null>
    /** R68: the stage that they are in, or wait for; null for the first. */
    stage: string | null
    /** How many rooms of earlier stages they have left behind. */
    stay: Generated<number>
    /** JSON: what they take along to the next room; null in the first stage. */
    carried: string | null
  }
  /** R68: rooms of earlier stages, with what participants were there. */
  former_stays: {
    participant_id: string
    stay: number
    stage: string | null
    room_id: string
    role: string
    alias: string | null
    finished_at: number
  }
  /** What people were assigned in rooms of later stages, where they count from the moment in which the room begins. */
  stay_assignments: {
    participant_id: string
    stay: number
    experiment_id: string
    design: string
    cells: string
    ordinal: number
    seat: number | null
    rows: string
    condition: string | null
  }
  /** R90: what people were assigned when their room began. */
  assignments: {
    participant_id: string
    experiment_id: string
    /** Of the revision's design; participants of the same one count together. */
    design: string
    /** JSON: the cells in which they count, or would. */
    cells: string
    /** 1 while they count there. */
    is_counted: number
    /** 1 as soon as somebody has changed what makes them count, until that is looked at again. */
    is_stale: Generated<number>
    /** 1 while their room does not wait for them any more. */
    is_dropped: Generated<number>
    /** R89: what makes them count. */
    balance: string
    /** Position of the room in the experiment, or of the person where everyone has orders of their own. */
    ordinal: number
    /** Index of their seat where everyone moves alone, for which their random orders are drawn; else null. */
    seat: number | null
    /** JSON: the rows of Latin squares, by block. */
    rows: string
    /** Their own; null where the room has one for all. */
    condition: Generated<string | null>
  }
  /** R89: how many people count in each cell of a design. */
  assignment_counts: { experiment_id: string; design: string; cell: string; people: number }
  participant_identities: {
    participant_id: string
    experiment_id: string
    issuer: string
    subject: string
    /** 1 for the first participation; more only if the experiment allows repeats. */
    attempt: number
  }
  sessions: {
    session_id: string
    /** R59: what others call the session. Null if a server older than 0007 opened it. */
    pseudonym: string | null
    participant_id: string
    status: string
    created_at: number
    last_activity_at: number
    expires_at: number
    ended_at: number | null
    outcome: string | null
    completion_code: string | null
    redirect_url: string | null
    final_state: string | null
    final_state_unknown: number
    claimed_events: number | null
    claimed_duration: number | null
    /** R20: number of events that the client counted and that are not stored. */
    missing_events: number
    /** Why a wait ended without a room. */
    wait_ended: string | null
    /** R92: the language in which it was read, and the version that opened it. Null if a server older than 0031 did. */
    language: string | null
    software_version: string | null
  }
  session_origins: { session_id: string; ip_address: string; user_agent: string; metadata: string }
  /** One row per session: assigns sequence numbers, and is the lock that serialises writes to the session. */
  event_streams: {
    /** Replaces the session's long random id in rows stored by the thousand. */
    stream_no: Generated<number>
    session_id: string
    last_seq: number
    sealed: number
    /** Events sent by the client, without those recorded by rooms. */
    client_events: Generated<number>
    /** Whose figures its events belong to. Null if a server older than 0019 opened it and nobody has looked since. */
    experiment_id: string | null
    /** `people`, `agents` that play with people, or `pilots`. */
    kind: string | null
    /** Events up to this one are in the figures; a server older than 0019 does not move it. */
    counted_seq: Generated<number>
    /** What it takes in the database, in bytes: the session, its events, what its participant did in a room (E27). */
    stored_bytes: Generated<number>
    /** The same of the participant's earlier sessions, so that nobody has to add them up. */
    earlier_bytes: Generated<number>
    /** Files uploaded in this session, in bytes. */
    file_bytes: Generated<number>
    /** E40: bounds of the server's clock minus the participant's. Null while nothing is known. */
    clock_low_ms: number | null
    clock_high_ms: number | null
  }
  /** What has changed in the figures and is not in their tables yet (ADR 34). */
  figure_deltas: {
    delta_no: Generated<number>
    experiment_id: string
    kind: string
    /** Of events that were received in one second, when the last one was. */
    at: number
    count: number
    revision: number | null
    outcome: string | null
    /** JSON: what events add to `event_tallies`; null for nothing. */
    tallies: Generated<string | null>
    /** What is stored, or less than 0 for what was deleted. */
    bytes: Generated<number>
  }
  /** Streams with events that nobody has counted: `counted_seq` is less than `last_seq`. */
  uncounted_streams: { stream_no: number }
  /** What happened, by second up to day; times in which nothing happened have no row, nor have old ones, except days. */
  activity_counts: {
    experiment_id: string
    resolution_ms: number
    starts_at: number
    joined: number
    completed: number
    events: number
  }
  /** Participants by outcome; those without one have `is_decided` 0 and an empty name. */
  outcome_counts: {
    experiment_id: string
    revision: number
    is_decided: number
    outcome: string
    people: number
  }
  experiment_totals: {
    experiment_id: string
    /** Of people and the agents that play with them. */
    events: number
    sessions_with_gaps: number
    /** Of people. */
    last_event_at: number | null
    /** Of people and the agents that play with them, files included (E27). */
    bytes: Generated<number>
  }
  /** Events of people by state, and answers by component and response time, for the plots. */
  event_tallies: {
    experiment_id: string
    kind: string
    /** `room` or `page`. */
    origin: string
    state_id: string
    /** Empty except for responses. */
    component_id: string
    bucket: number
    count: number
  }
  event_batches: {
    stream_no: number
    idempotency_key: string
    body_hash: string
    recorded: number
    received_at: number
  }
  events: {
    stream_no: number
    seq: number
    event_id: string | null
    type: string
    state_id: string | null
    component_id: string | null
    timestamp: number
    received_at: number
    data: string
    flags: string
    extra: string | null
    /** R54: the room's action that recorded it; null if a client sent the event. */
    room_seq: number | null
    /** R68: in which of their rooms it was recorded; null in their first, and for what a client sent. */
    stay: number | null
    round: number | null
    visit: number | null
    /** R88: estimated; null unless `timestamp` is by the participant's clock, and in rows older than 0031. */
    clock_offset_ms: number | null
    clock_error_ms: number | null
  }
  videos: {
    video_id: string
    /** Who uploaded it, as in the audit log. */
    owner: string
    filename: string
    content_type: string
    size: number
    storage_key: string
    /** Of an upload in parts; kept afterwards, so that repeated calls are recognised. */
    upload_id: string | null
    created_at: number
    /** Null while it is being uploaded. */
    stored_at: number | null
    hls_status: string
    hls_manifest_key: string | null
    hls_error: string | null
    hls_note: string | null
    hls_completed_at: number | null
    progress: number | null
    /** How often its transcoding has begun anew. */
    attempt: number
    /** A pending video is submitted again from this time on; later while an instance is submitting it. */
    submit_after: number
    job_id: string | null
    /** JSON: ids of superseded jobs, newest first. */
    former_jobs: string
    duration_ms: number | null
    width: number | null
    height: number | null
    /** JSON */
    levels: string
    has_poster: number
    /** Set when it is deleted; the row goes once its objects are gone. */
    removed_at: number | null
  }
  /** The uploaded videos that a revision of an experiment names. */
  experiment_videos: { experiment_id: string; revision: number; video_id: string }
  /** R67: uploaded pictures and sounds. */
  media_files: {
    media_id: string
    /** Who uploaded it, as in the audit log. */
    owner: string
    name: string
    kind: string
    content_type: string
    bytes: number
    sha256: string
    created_at: number
    /** Null while its bytes are on their way to the object store. */
    stored_at: number | null
    /** Set when it is deleted; the row goes once its object is gone. */
    removed_at: number | null
  }
  /** The pictures and sounds that a revision of an experiment names; `name` is empty where it does so by id. */
  experiment_media: { experiment_id: string; revision: number; media_id: string; name: string }
  /** R42: how to reach model servers. */
  agent_credentials: {
    credential_id: string
    /** Who made it, as in the audit log. */
    owner: string
    name: string
    base_url: string
    model: string
    timeout_ms: number
    /** The API key, encrypted, with the name of the key that decrypts it. */
    sealed_key: string
    /** The last characters of the API key, if that gives nothing away. */
    key_hint: string
    created_at: number
    changed_at: number
    last_tested_at: number | null
    /** JSON */
    last_test: string | null
    /** The test that runs now; another may begin after `test_until`. */
    test_id: string | null
    test_until: number
  }
  /** The credentials that a revision of an experiment names; they may have been deleted since. */
  experiment_credentials: { experiment_id: string; revision: number; credential_id: string }
  /** Agents in rooms, kept apart from people. Each has a stream of its own. */
  agent_participants: {
    participant_id: string
    /** The name of its stream in `event_streams`. */
    session_id: string
    experiment_id: string
    room_id: string
    agent_id: string
    /** Null for a mediator. */
    role: string | null
    alias: string
    seated_at: number
  }
  /** Rooms that agents play alone, requested together. */
  pilots: {
    pilot_id: string
    experiment_id: string
    revision: number
    created_at: number
    /** Mediators included. */
    agents_per_room: number
    /** JSON: of all rooms together; null when there is none. */
    budget: string | null
  }
  /** R45: every call of a model. */
  agent_calls: {
    call_id: string
    experiment_id: string
    room_id: string
    participant_id: string
    agent_id: string
    /** Null for the scripted provider. */
    credential_id: string | null
    turn_id: string
    cause: string
    attempt: number
    outcome: string
    asked_at: number
    /** Null when nothing was asked. */
    latency_ms: number | null
    prompt_tokens: number | null
    completion_tokens: number | null
    money: number
    prompt_hash: string | null
    /** JSON, without the key. */
    request: string | null
    /** JSON */
    reply: string | null
    error: string | null
    /** Null for calls before migration 0032, as are the others below. */
    state_id: string | null
    round: number | null
    model: string | null
    served_model: string | null
    /** JSON */
    sampling: string | null
    /** 1 or 0; null where no model was asked. */
    cost_is_estimated: number | null
  }
  /** R49: credentials of researchers' scripts. */
  api_keys: {
    key_id: string
    /** SHA-256 of the whole key, which is kept nowhere. */
    key_hash: string
    /** Whose scripts they are. */
    issuer: string
    subject: string
    /** As verified when the key was made, in lower case: shares may name it. */
    verified_email: string | null
    name: string
    access: string
    /** JSON: ids of the experiments that it is limited to; null if it is not. */
    experiments: string | null
    created_at: number
    last_used_at: number | null
    expires_at: number | null
  }
  /** What editors are writing. The row stays once there was a draft, so that no version ever occurs twice. */
  definition_drafts: {
    experiment_id: string
    version: number
    /** JSON; null: published or discarded. */
    definition: string | null
    based_on: number
    saved_by: string
    saved_at: number
  }
  /** Hidden experiments in which researchers play what they are writing. */
  tries: {
    experiment_id: string
    /** The experiment whose draft is tried. */
    try_of: string
    /** Who started it, as in the audit log. */
    owner: string
    created_at: number
    expires_at: number
  }
  /** One for each experiment that recruits through Prolific’s API. */
  prolific_tokens: { experiment_id: string; sealed_token: string; token_hint: string }
  prolific_studies: { study_id: string; experiment_id: string; name: string; created_at: number }
  /** Written before and after Prolific is asked to pay, because it would pay again. */
  prolific_bonuses: {
    /** R48: a hash of the id at Prolific. */
    submission_id: string
    study_id: string
    /** In pence or cents. */
    amount: number
    status: string
    /** Prolific’s id of the prepared payment; null before. */
    payment_id: string | null
    changed_at: number
  }
  /** Researchers and administrators who have used the platform. */
  researchers: {
    /** Issuer and subject, as in the audit log. */
    person: string
    email: string | null
    role: string
    role_from: string
    first_seen_at: number
    seen_at: number
  }
  /** R66: tables of trials, which never change. */
  trial_tables: {
    table_id: string
    owner: string
    name: string
    /** JSON */
    columns: string
    row_count: number
    bytes: number
    /** Of `content`. */
    sha256: string
    /** The rows as JSON. */
    content: string
    created_at: number
    /** Deleted, and still used by a revision. */
    removed_at: number | null
  }
  /** RM214: whose rows a revision plays. */
  pinned_tables: { experiment_id: string; revision: number; table_id: string; sha256: string }
  shared_secrets: { name: string; value: string }
  /** One row: when an instance last verified that it can write. */
  write_checks: { id: number; at: number }
  /** R92: how many participants were deleted with all their data; the condition is empty for those who had none. */
  deleted_people: { experiment_id: string; condition: string; people: number }
  /** R48: participants who were deleted, so that repeating the deletion is recognised. */
  erasures: {
    /** SHA-256 of the experiment and the participant id. */
    erasure_id: string
    at: number
  }
  audit_log: {
    /** In the order in which the entries were written. */
    entry_no: Generated<number>
    at: number
    actor: string
    action: string
    subject: string
    details: string
  }
}

export interface Sql {
  engine: 'sqlite' | 'postgres'
  db: Kysely<Tables>
}

/** PostgreSQL locks the rows it reads; SQLite has one writer at a time and no such clause. */
export const forUpdate =
  (engine: Sql['engine']) =>
  <Query extends { forUpdate(): unknown }>(query: Query): Query =>
    engine === 'postgres' ? (query.forUpdate() as Query) : query
