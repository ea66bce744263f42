import { type Kysely, sql } from 'kysely'

/**
 * Actions are changed only where somebody is deleted from a room. The previous release, which does that too, knows nothing of
 * `replay` and would leave their words there. So it is forgotten with the actions; whoever writes it does so afterwards.
 */
export async function up(db: Kysely<never>, engine: 'sqlite' | 'postgres'): Promise<void> {
  if (engine === 'sqlite') {
    await sql
      .raw(`create trigger forget_replay after update of action on room_actions for each row
        when new.action <> old.action and old.replay is not null begin
          update room_actions set replay = null where room_id = new.room_id and replay is not null;
        end`)
      .execute(db)
    return
  }
  await sql
    .raw(`create or replace function forget_replay() returns trigger language plpgsql as $$ begin
        update room_actions set replay = null where replay is not null and room_id in (
          select after.room_id from actions_after after
          join actions_before before on before.room_id = after.room_id and before.seq = after.seq
          where after.action <> before.action);
        return null;
      end $$`)
    .execute(db)
  // Once for each statement: a log has thousands of actions.
  await sql
    .raw(`create trigger forget_replay after update on room_actions
      referencing old table as actions_before new table as actions_after
      for each statement when (pg_trigger_depth() = 0) execute function forget_replay()`)
    .execute(db)
}
