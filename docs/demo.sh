# The commands of README.md and docs/ begin with ". docs/demo.sh", in the folder of the clone. It sets the address, the
# Workspace and the tokens of the platform that "npm start" runs there, and functions.

# call TOKEN OPERATION BODY: executes an operation.
call() { request "$1" POST "/api/v1/operations/$2" "$3"; }

# request TOKEN METHOD PATH [BODY]: sends a request and prints the answer.
request() {
  curl -sS -X "$2" "$BASE_URL$3" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' -d "${4-}" && echo && return
  echo "No platform answers at $BASE_URL: run npm start in this folder, in another terminal, and paste the block again." >&2
  return 1
}

# pick PATH: prints a part of an answer, such as result.record.id; of an error its message and the next step. An answer without
# the part is an error, too.
pick() {
  node -e '
    const text = fs.readFileSync(0, "utf8").trim();
    const { error, ...answer } = JSON.parse(text || "{}");
    if (error) console.error(`${error.code}: ${error.message}\nNext: ${error.next}`);
    if (error || !text) process.exit(1);
    const part = eval(`answer.${process.argv[1]}`);
    if (part === undefined) console.error(`The answer has no ${process.argv[1]}.`);
    if (part === undefined) process.exit(1);
    console.log(part);' "$1"
}

# fresh: prints a token of the Owner as after a sign-in of now at the console.
fresh() { npm run --silent admin -- token --workspace "$WORKSPACE" --user demo-owner --fresh | pick token; }

# set_rules RULES: replaces the rules of approvals.
set_rules() {
  request "$(fresh)" PUT /api/v1/approval-rules \
    '{"revision":'"$(request "$OWNER" GET /api/v1/approval-rules | pick revision)"',"rules":'"$1"'}'
}

if [ ! -e "${LOCAL_DIR:-.local}/demo.json" ]; then
  echo "No platform has run in this folder: run npm start here, in another terminal, and paste the block again." >&2
  return 1
fi
eval "$(node -e '
  const { base_url, workspace_id, owner, member } = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
  const variables = { BASE_URL: base_url, WORKSPACE: workspace_id, OWNER: owner.token, MEMBER: member.token, TOKEN: owner.token };
  for (const [name, value] of Object.entries(variables)) console.log(`export ${name}=${value}`);' "${LOCAL_DIR:-.local}/demo.json")"
