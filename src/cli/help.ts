export const HELP = `The operators' commands. They take the same settings from the environment as the server (npm start -- --help), work
beside it while it runs, and without it.

  npx tenderhall tender show ID           prints the tender as everyone sees it
  npx tenderhall tender show ID --raw     prints it as it is kept, sealed bids included, with its revision
  npx tenderhall tender replace ID --from FILE --reason TEXT [--force]
                                          puts FILE, which --raw printed and you edited, in its place

  --from FILE    the edited file; - reads standard input
  --reason TEXT  why, in one line; the ledger keeps it
  --force        whatever the procedure's rules say; never whatever shape

  npx tenderhall backup TO                copies ledger, documents and secrets to the folder TO, while serving; run
                                          again, it adds what is new
  npx tenderhall restore FROM             makes an empty registry what the backup in FROM holds (on SQLite: stop the server)
  npx tenderhall verify [--no-files]      holds tenders to the ledger, and documents to their hashes
  npx tenderhall verify --backup FROM     the same for a backup: restores it to a folder for a while
  npx tenderhall export [--to FILE] [--after ROW] [--secrets]
                                          writes the ledger as lines of JSON, to standard output if there is no FILE
  npx tenderhall import FILE              fills a registry with them, on any engine; - reads standard input

  --no-files     leaves out the contents of documents
  --after ROW    only what follows that row of the ledger
  --secrets      with the key that the addresses of documents are signed with
  --help         this

A repair:

  npx tenderhall tender show 0b2e... --raw > tender.json
  $EDITOR tender.json
  npx tenderhall tender replace 0b2e... --from tender.json --reason "ticket 17: the buyer's name was cut off"

Every night, and the day after the disk died:

  npx tenderhall backup /backup/tenderhall && npx tenderhall verify --backup /backup/tenderhall
  DATA_DIR=./new npx tenderhall restore /backup/tenderhall

From SQLite to PostgreSQL, documents included:

  npx tenderhall backup /tmp/moving
  DATABASE_URL=postgres://... npx tenderhall restore /tmp/moving

It ends with 0 when done, also when there was nothing to change; 1 when refused, and when verify found something; 2 when it was
called wrongly.
`;
