package dev.orloj.api.findings;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The phrases that address a model instead of describing a tool, by their first words. */
final class Phrases {

    private static final String ALL =
            """
            override-directive HIGH ignore|disregard|forget|discard .3 previous|prior|above|earlier|preceding|former|original|system .2 instruction|instructions|prompt|prompts|guideline|guidelines|directive|directives|rules
            override-directive HIGH ignore|disregard|forget|discard .2 your|all|any .2 instructions|guidelines|prompt|training|rules
            override-directive MEDIUM override|bypass|supersede|supersedes|overrides .3 previous|prior|earlier|your|other|all .2 instructions|guidelines|prompts|directives|safeguards|safety
            override-directive HIGH not|never|dont .1 follow|obey|trust .3 user|users|system .2 instruction|instructions|request|requests|prompt
            override-directive MEDIUM regardless .3 user .2 says|asks|asked|said|requests|requested|wants
            override-directive HIGH instead .1 of .4 user .2 asked|requested|request|wants|wanted
            override-directive MEDIUM you are|re now in|an|a
            override-directive HIGH do anything now
            override-directive MEDIUM system|admin|administrator|developer override
            override-directive HIGH new|updated|real|true .1 system .1 prompt|instruction|instructions
            override-directive HIGH your real|true|actual|new .1 task|goal|instructions|purpose|objective is|are
            override-directive HIGH act|behave as if .3 no .1 restrictions|rules|limits|guidelines
            override-directive HIGH ignorez|oubliez .4 instructions|consignes
            override-directive HIGH ignora|olvida|ignore|ignorar .4 instrucciones|istruzioni
            override-directive HIGH ignoriere|vergiss|missachte .4 anweisungen|instruktionen|anweisung
            secrecy-directive HIGH not|never|dont|cannot .2 tell|inform|notify|alert|warn .3 user|users|human|anyone|customer|operator
            secrecy-directive MEDIUM not|never|dont .2 mention|reveal|disclose|report|show|expose|explain .6 user|users|human|anyone|customer|operator
            secrecy-directive MEDIUM not|never|dont mention|reveal|disclose this|that|these|it
            secrecy-directive HIGH without .1 telling|informing|notifying|alerting|mentioning .4 user|users|human|anyone|operator
            secrecy-directive MEDIUM keep|keeping this|it|that|these .2 secret|hidden|confidential|private|silent
            secrecy-directive MEDIUM hide|conceal .3 this|it|call|fact|action|step .2 from .1 user|users|human
            secrecy-directive MEDIUM user|users .1 must|should|does|need|needs .1 not|never .1 know|see|notice|learn
            secrecy-directive HIGH secretly|covertly|discreetly|surreptitiously .2 send|forward|copy|upload|include|append|add|read|run|execute|call|post|bcc|collect|record
            secrecy-directive HIGH silently|quietly .2 send|forward|copy|upload|include|append|post|bcc|collect|record|transmit|read
            secrecy-directive MEDIUM in .1 background .3 send|forward|upload|transmit|post
            exfiltration-directive HIGH send|forward|upload|exfiltrate|leak|transmit|post|email|bcc|copy|include|append|pass|put|insert|attach|embed|cat .6 ssh|private|gpg|signing .1 key|keys
            exfiltration-directive HIGH exfiltrate|leak|steal|harvest .6 data|file|files|key|keys|secrets|credentials|passwords|token|tokens|contents|information
            exfiltration-directive HIGH send|forward|upload|transmit|post|email|bcc|copy .5 passwords|credentials|secrets|cookies|env|environment .5 to .3 http|https|url|address|me|attacker|endpoint
            exfiltration-directive HIGH include|append|pass|put|insert|attach|embed|paste|provide .5 api|access|auth|secret|session .1 key|keys|token|tokens|cookie|cookies .4 as|in|into|to .3 argument|parameter|field|value|note|sidenote|context|metadata
            exfiltration-directive HIGH include|append|pass|put|insert|attach|embed|paste|provide|send|read .5 contents|content|file .4 as|in|into|through|via .3 sidenote|note|notes|metadata|context|feedback|debug
            exfiltration-directive HIGH read|open|load|collect|gather|get .5 env|environment|credentials|secrets|passwords|keys .6 send|pass|include|append|forward|post|upload|attach
            exfiltration-directive HIGH send|reveal|print|repeat|output|include|append|pass|insert|copy|share|paste|put|forward|provide .3 your .2 system|initial|hidden .1 prompt|instructions|message|messages
            exfiltration-directive HIGH send|forward|copy|bcc|cc .4 every|all|each .3 email|emails|mail|mails|message|messages|result|results|request|requests .4 to .4 address|http|https|com|net|org|io|attacker|server
            asks-for-conversation HIGH send|include|pass|append|provide|copy|put|insert|paste|record|share|attach|forward|write .3 entire|full|whole|complete|all|previous|prior|raw .3 conversation|dialog|dialogue|transcript
            asks-for-conversation HIGH send|include|pass|append|provide|copy|put|insert|paste|record|share|attach|forward|write .4 conversation|chat|message|dialogue .1 history|log|transcript|context
            asks-for-conversation MEDIUM entire|full|whole|complete|verbatim .2 conversation|dialog|dialogue|chat|transcript
            asks-for-conversation MEDIUM conversation|chat .1 history|context .3 so far|verbatim
            asks-for-conversation MEDIUM system prompt .3 verbatim|exact|full|unmodified
            asks-for-conversation MEDIUM summary|summarize|copy .4 conversation so far
            other-tool-directive MEDIUM when|whenever|if|before|after|each|every .3 any|other|another|different .2 tool|tools|function|functions .2 is|are|gets|get|runs|called|used|invoked
            other-tool-directive MEDIUM before|after|prior .1 calling|using|invoking|running|use|call .1 any|every|each|other|another .2 tool|tools|function|server
            other-tool-directive MEDIUM not|never|dont .1 use|call|invoke|trust .1 any|other|another .2 tool|tools|server|servers
            other-tool-directive MEDIUM instead of .1 any|all|other .2 tool|tools|server|servers
            other-tool-directive MEDIUM modify|modifies|change|changes|replace|replaces|redirect|override|overrides|alter|alters .3 behavior|behaviour|output|result|results|arguments|parameters|recipient|recipients .2 of|for .2 any|other|another|all .2 tool|tools
            other-tool-directive HIGH always|must|shall .3 bcc|redirect .6 to|recipient|recipients|address
            other-tool-directive MEDIUM all .2 emails|mails|messages|payments|transfers|requests .2 must|should|have|are .3 sent|routed|forwarded|redirected|go to
            overt-directive LOW always|must .2 call|use|run|invoke .2 this|it .2 first|before
            overt-directive LOW must be called|used|run|invoked .2 first|before
            overt-directive LOW call|use|run|invoke this .1 tool|function|one first|before
            overt-directive LOW before|prior .1 using|calling|invoking|running .1 this|it .1 tool|function
            overt-directive LOW you must .1 call|use|invoke|run
            overt-directive LOW not|never|dont .1 ask|prompt|wait .4 confirmation|permission|approval|user
            overt-directive LOW always .1 approve|accept|allow|confirm
            delayed-trigger MEDIUM after|on|from|since|until .2 second|third|fourth|fifth|tenth|nth|# .1 call|calls|use|uses|invocation|invocations|execution|executions
            delayed-trigger MEDIUM once|when|if .4 called|used|invoked .3 # times
            delayed-trigger MEDIUM when|if .4 date|day|year|clock .3 is|reaches|passes|after
            fetched-instructions MEDIUM follow|execute|obey|fetch|load|download|apply|read|get|retrieve|perform .4 instruction|instructions|directive|directives|commands|steps .4 from|at|in|on .3 http|https|url|www
            fetched-instructions MEDIUM follow|execute|obey|perform|do .3 instruction|instructions|directive|directives|commands|whatever .4 returned|contained|found|says|returns|fetched
            preference-words LOW prefer|choose|select|use .1 this .2 over|instead .3 all|any|other|every|others
            preference-words LOW better|superior|faster|preferred .1 than|to|over .1 any|all|other|every .1 other|tool|tools|server|servers|alternative|alternatives
            preference-words LOW best|only|official|trusted .1 tool .3 choose|use|prefer|always
            preference-words LOW always prefer|choose|select .1 this|it
            """;

    private static final Map<String, List<Phrase>> BY_FIRST_WORD = index();

    private Phrases() {}

    private static Map<String, List<Phrase>> index() {
        Map<String, List<Phrase>> index = new HashMap<>();
        ALL.lines()
                .map(Phrase::parse)
                .forEach(
                        phrase ->
                                phrase.slots()
                                        .getFirst()
                                        .words()
                                        .forEach(
                                                word ->
                                                        index.computeIfAbsent(
                                                                        word,
                                                                        _ -> new ArrayList<>())
                                                                .add(phrase)));
        return Collections.unmodifiableMap(index);
    }

    /** Returns the phrases that begin with a word. */
    static List<Phrase> startingWith(String word) {
        return BY_FIRST_WORD.getOrDefault(word, List.of());
    }
}
