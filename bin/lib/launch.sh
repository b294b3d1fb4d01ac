# What the launchers share, for any POSIX shell; sourced after jdk.sh, with ORLOJ_ROOT set to the folder
# above bin/.

# Sets APP_JAR to the jar of orlojd or orlojctl. In a source checkout it is built first when it is
# missing or older than its sources.
find_app() {
  if is_checkout; then
    app_is_current "$1" || build_apps "$1" || return 1
  fi
  APP_JAR=$(app_jar "$1")
  [ -n "$APP_JAR" ] || {
    echo "$1: '$ORLOJ_ROOT' holds neither lib/$1/$1.jar nor the sources to build it from" >&2
    return 1
  }
}

is_checkout() {
  [ -f "$ORLOJ_ROOT/pom.xml" ]
}

# The jar of an application, installed or built; prints nothing when there is none.
app_jar() {
  if ! is_checkout; then
    set -- "$ORLOJ_ROOT/lib/$1/$1.jar"
  elif [ "$1" = orlojd ]; then
    set -- "$ORLOJ_ROOT"/orlojd/target/orlojd-*-exec.jar
  else
    set -- "$ORLOJ_ROOT/orlojctl/target/dist/orlojctl.jar"
  fi
  if [ -f "$1" ]; then printf '%s\n' "$1"; fi
}

# Folders count as well as files: deleting a source changes the time of its folder.
app_is_current() {
  jar=$(app_jar "$1")
  [ -n "$jar" ] || return 1
  case $1 in
    orlojctl) modules="api orlojctl" ;;
    *) modules="api runtime controllers orlojd" ;;
  esac
  for module in $modules; do
    for source in pom.xml src/main; do
      source=$ORLOJ_ROOT/$module/$source
      [ -e "$source" ] || continue
      [ -z "$(find "$source" -newer "$jar" -print | head -n 1)" ] || return 1
    done
  done
  [ -z "$(find "$ORLOJ_ROOT/pom.xml" -newer "$jar" -print)" ]
}

# Builds both applications, for $1; of several launchers one builds and the others wait for it.
build_apps() {
  mkdir -p "$ORLOJ_ROOT/target"
  build_log=$ORLOJ_ROOT/target/launcher-build.log
  (
    if command -v flock >/dev/null 2>&1; then flock 9; fi
    if app_is_current "$1"; then exit 0; fi
    echo "$1: building it from source; the first time takes a few minutes (log: $build_log)" >&2
    : >"$ORLOJ_ROOT/target/.build-started"
    cd "$ORLOJ_ROOT" || exit 1
    # Java 17 is enough for Maven, but on a machine that has only a JDK 25 there may be no other.
    JAVA_HOME=$JDK_HOME ./mvnw -B -Dquick -pl orlojd,orlojctl -am package \
        >"$build_log" 2>&1 </dev/null 9>&- || {
      echo "$1: the build failed, see '$build_log':" >&2
      { grep '^\[ERROR\]' "$build_log" || tail -n 20 "$build_log"; } | head -n 20 >&2
      exit 1
    }
    # As old as the start of the build, so that a source saved meanwhile counts as newer.
    for built in "$(app_jar orlojd)" "$(app_jar orlojctl)"; do
      [ -z "$built" ] || touch -r "$ORLOJ_ROOT/target/.build-started" "$built"
    done
    build_caches 9>&-
  ) 9>>"$ORLOJ_ROOT/target/.build-lock"
}

# Makes the ahead-of-time caches of what was built, a part of the build: nothing serves yet that they
# could disturb. Orloj runs without them, too.
build_caches() {
  [ "${ORLOJ_AOT:-on}" != off ] || return 0
  for cached_app in orlojctl orlojd; do
    APP_JAR=$(app_jar "$cached_app")
    options="$(jvm_options "$cached_app") ${ORLOJ_JAVA_OPTS:-}"
    cache_now "$cached_app" "$(cache_of "$cached_app" "$options")" "$options" >>"$build_log" 2>&1 ||
        echo "$cached_app: no ahead-of-time cache was made, it will start slower (log: $build_log)" >&2
  done
}

# The options of the JVM that an application gets without being asked.
jvm_options() {
  case $1 in
    orlojctl) echo "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx256m" ;;
    *) echo "-XX:+UseSerialGC -Xms64m -Xmx512m -XX:TrimNativeHeapInterval=10000 --enable-native-access=ALL-UNNAMED" ;;
  esac
}

# Replaces this shell by java: `run_app NAME "MORE JVM OPTIONS" ARGUMENT...`. Uses the ahead-of-time cache
# when there is one; otherwise has it made in the background, for the next start, where a person is
# at it. With ORLOJ_AOT=only it makes the cache, and starts nothing.
run_app() {
  app=$1
  # The JVM's own warnings go to stderr: stdout belongs to the application.
  options="$(jvm_options "$1") $2 -Xlog:disable -Xlog:all=warning:stderr ${ORLOJ_JAVA_OPTS:-}"
  shift 2
  cache=
  [ "${ORLOJ_AOT:-on}" = off ] || cache=$(cache_of "$app" "$options")
  [ "${ORLOJ_AOT:-on}" != only ] || make_cache_now "$app" "$cache" "$options"
  if [ -n "$cache" ] && [ -f "$cache/app.aot" ]; then
    # The open file keeps the cache from being tidied away under a running server.
    exec 9<"$cache/app.aot"
    flock -n -s 9 || true
    # A cache that the JVM does not take is not worth a word: it then starts without.
    set -- '-Xlog:aot*=off:stderr' '-Xlog:cds*=off:stderr' -XX:AOTCache="$cache/app.aot" \
        -jar "$cache/app/$(basename "$APP_JAR")" "$@"
  else
    if [ -n "$cache" ] && may_make_cache "$app"; then make_cache "$app" "$cache" "$options"; fi
    set -- -jar "$APP_JAR" "$@"
  fi
  # shellcheck disable=SC2086  # options are words
  exec "$JDK_HOME/bin/java" $options "$@"
}

# The folder of the cache for this jar, JDK and options; nothing where it cannot be made. It lies beside
# the program, for all users of it, or else with the user.
cache_of() {
  command -v flock >/dev/null 2>&1 && command -v setsid >/dev/null 2>&1 || return 0
  key=$1-$({
    printf '%s\n' "$APP_JAR"
    cache_options "$2"
    printf '%s\n' "$(stat -L -c '%y %s' "$APP_JAR")"
    cat "$JDK_HOME/release"
  } | cksum | cut -d ' ' -f 1)
  shared=$ORLOJ_ROOT/lib/aot
  if is_checkout; then shared=$ORLOJ_ROOT/target/aot; fi
  base=${XDG_CACHE_HOME:-${HOME:-}/.cache}
  if [ -f "$shared/$key/app.aot" ]; then
    printf '%s\n' "$shared/$key"
  elif [ -w "$(dirname "$shared")" ] && { [ ! -e "$shared" ] || [ -w "$shared" ]; }; then
    printf '%s\n' "$shared/$key"
  else
    case $base in /.cache | '') ;; *) printf '%s\n' "$base/orloj/$key" ;; esac
  fi
}

# The options that a cache depends on, one a line: not the sizes of memory, the log, or settings.
cache_options() {
  for cache_option in $1; do
    case $cache_option in
      -Xm[nsx]* | -Xlog* | -Xss* | -D* | -XX:*ExitOnOutOfMemoryError | -XX:*HeapDump*) ;;
      *) printf '%s\n' "$cache_option" ;;
    esac
  done
}

# Whether a cache is made without being asked for. Making that of orlojd takes a second orlojd, with
# memory and processor time that a service may need: only for a person at a terminal.
may_make_cache() {
  [ "${ORLOJ_AOT:-on}" != train ] || return 0
  # INVOCATION_ID would not do: the terminals of a desktop inherit that of their session.
  [ "${SYSTEMD_EXEC_PID:-}" != $$ ] && [ -z "${KUBERNETES_SERVICE_HOST:-}" ] || return 1
  [ ! -e /.dockerenv ] && [ ! -e /run/.containerenv ] || return 1
  [ "$1" != orlojd ] || [ -t 2 ]
}

# Makes the cache in the foreground and exits.
make_cache_now() {
  cache_now "$@" || exit 1
  echo "$1: the cache is in '$2'" >&2
  exit 0
}

cache_now() {
  [ -n "$2" ] && mkdir -p "$2" || {
    echo "$1: no cache can be made: it needs flock, setsid and a writable XDG_CACHE_HOME or HOME" >&2
    return 1
  }
  [ ! -f "$2/app.aot" ] || return 0
  (
    export JDK_HOME ORLOJ_ROOT APP_JAR ORLOJ_AOT_DELAY=0
    "$ORLOJ_ROOT/bin/lib/make-cache" "$1" "$2" "$3" </dev/null >&2 || true
  )
  [ -f "$2/app.aot" ] || {
    echo "$1: the cache in '$2' was not made: see above, or another start is at it" >&2
    return 1
  }
}

# Detached, so that neither Ctrl-C nor the end of this command ends it; it has its own time limit.
make_cache() {
  mkdir -p "$2" 2>/dev/null || return 0
  (
    export JDK_HOME ORLOJ_ROOT APP_JAR
    setsid nice -n 19 "$ORLOJ_ROOT/bin/lib/make-cache" "$1" "$2" "$3" </dev/null >/dev/null 2>&1 &
  )
}
