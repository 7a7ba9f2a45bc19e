# What a newcomer types, on a machine that has sh, curl and little else. The
# test gives RELEASE (where the release is served), DAEMON and ADMIN_KEY_FILE.
set -eu

curl -fsSL "$RELEASE/install.sh" >install.sh
sh install.sh --base-url "$RELEASE" connect
PATH=$HOME/.local/bin:$PATH

# The key is shown once.
signet-connect api-key create --mode admin --url "$DAEMON" --api-key-file "$ADMIN_KEY_FILE" \
  --name "work laptop" --connector pyagent --agent-id me/pyagent >made
sed -n 's/^ *key: *//p' made >key

sh install.sh --base-url "$RELEASE" pyagent -- \
  install --url "$DAEMON" --api-key-file key --agent-id me/pyagent --yes

# PyAgent starts a session: the command as it stands in its config file.
hook=$(sed -n "s/.*command: '\(.* hook session-start .*\)'\$/\1/p" .pyagent/config.yaml)
echo '{"session_id": "s1", "cwd": "/home/u/proj"}' | sh -c "$hook"

signet-pyagent status
signet-pyagent uninstall --yes

# What install.sh brought goes the way it came.
rm -f install.sh made key .local/bin/signet-connect .local/bin/signet-pyagent
